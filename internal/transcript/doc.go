// Package transcript reads the logs that programs keep of chats with models, as JSON: sessions of coding tools, requests and
// answers of model servers, exports of chat sites. It says what the model said and which tools it called, answer by answer, and
// nothing of what these are good for.
//
// An answer is all that the model said between two questions of the user. What a tool found is no question, nor is what a program
// tells the model by itself. Sidechains, in which the model has asked a model, are left out: their work comes back as the result of a call.
//
// Each form of logs is one file and one row of the table in form.go.
package transcript

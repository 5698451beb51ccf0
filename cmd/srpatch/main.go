// Command srpatch applies SEARCH/REPLACE blocks to a tree.
package main

func main() {}

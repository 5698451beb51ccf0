package strategy

// Strategies are the nine of the reference cascade, in its order.
func Strategies() []Strategy {
	return []Strategy{
		exact{},
		lineTrimmed{},
		blockAnchor{},
		whitespaceNormalized{},
		indentationFlexible{},
		escapeNormalized{},
		trimmedBoundary{},
		contextAware{},
		multiOccurrence{},
	}
}

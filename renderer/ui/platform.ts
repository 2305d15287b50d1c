export function isMac() {
	return /mac/i.test(navigator.userAgent) && !/like mac/i.test(navigator.userAgent)
}

export function modifierName(): 'Ctrl' | 'Cmd' {
	return isMac() ? 'Cmd' : 'Ctrl'
}

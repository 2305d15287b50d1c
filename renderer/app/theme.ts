import {useLayoutEffect} from 'react'

import type {ConnectionColour} from '#model/connection.ts'
import type {Settings} from '#model/settings.ts'

import {rowHeightOf} from '#ui/RowHeight.tsx'

export function useLook({theme, palette, fontSize, density}: Pick<Settings, 'theme' | 'palette' | 'fontSize' | 'density'>) {
	useLayoutEffect(() => {
		mark('theme', theme === 'system' ? null : theme)
		mark('palette', palette === 'usual' ? null : palette)
		mark('size', fontSize === 'normal' ? null : fontSize)
		mark('density', density === 'normal' ? null : density)
		document.documentElement.style.setProperty('--row', `${rowHeightOf({fontSize, density})}px`)
	}, [theme, palette, fontSize, density])
}

function mark(name: string, value: string | null) {
	const {dataset} = document.documentElement
	if (value === null) delete dataset[name]
	else dataset[name] = value
}

export function useConnectionColour(colour: ConnectionColour | null) {
	useLayoutEffect(() => {
		document.documentElement.style.setProperty('--connection', colour && `var(--connection-${colour})`)
	}, [colour])
}

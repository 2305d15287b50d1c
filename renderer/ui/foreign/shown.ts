/**
 * Every text of the page passes here on its way into an element: invisible characters are shown by number, and right-to-left text
 * gets a `<bdi>`, so that it does not reorder its surroundings. No screen can forget it.
 */
import {Fragment, jsx, jsxs} from 'react/jsx-runtime'
import type {ElementType} from 'react'

import {hasUnseenOnScreen, showUnseenOnScreen} from '#text/foreign.ts'

type Props = Record<string, unknown>

/** Right-to-left letters, such as Hebrew and Arabic. */
const turning = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}'
const turned = new RegExp(`([${turning}]+(?:[ '-]+[${turning}]+)*)`, 'u')
const plain = /^[\x20-\x7e\n]*$/

/** Elements that contain only text. */
const textOnly: ReadonlySet<unknown> = new Set(['title', 'option', 'text', 'tspan', 'textarea', 'script', 'style', 'bdi'])
const spoken = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'alt', 'placeholder'] as const

/** The same object when nothing changes. */
export function shownProps(type: ElementType, props: unknown) {
	const given = props as Props // as passed by React
	const children = shownChild(given['children'], !textOnly.has(type))
	const changed: Props = children === given['children'] ? {} : {children}
	for (const name of spoken) {
		// The title of a component is rendered by its own elements.
		if (name === 'title' && typeof type !== 'string') continue
		const value = given[name]
		if (typeof value === 'string' && hasUnseenOnScreen(value)) changed[name] = showUnseenOnScreen(value)
	}
	return Object.keys(changed).length === 0 ? given : {...given, ...changed}
}

function shownChild(child: unknown, isolates: boolean): unknown {
	if (typeof child === 'string') return plain.test(child) ? child : shownText(child, isolates)
	if (!Array.isArray(child)) return child
	const each = child.map(one => (typeof one === 'string' ? shownChild(one, isolates) : one))
	return each.every((one, index) => one === child[index]) ? child : each
}

function shownText(text: string, isolates: boolean) {
	const seen = showUnseenOnScreen(text)
	if (!isolates || !turned.test(seen)) return seen
	const parts = seen.split(turned).map((part, index) => (index % 2 === 0 ? part : jsx('bdi', {children: part})))
	return jsxs(Fragment, {children: parts})
}

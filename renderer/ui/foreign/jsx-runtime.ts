/** The JSX runtime: React's own, with every text passed through `shown.ts`. */
import type {ElementType, Key, ReactElement} from 'react'
import {Fragment, jsx as reactJsx, jsxs as reactJsxs} from 'react/jsx-runtime'

import {shownProps} from './shown.ts'

export type {JSX} from 'react/jsx-runtime'
export {Fragment}

export function jsx(type: ElementType, props: unknown, key?: Key): ReactElement {
	return reactJsx(type, shownProps(type, props), key)
}

export function jsxs(type: ElementType, props: unknown, key?: Key): ReactElement {
	return reactJsxs(type, shownProps(type, props), key)
}

/** Like `jsx-runtime.ts`, for the development server. */
import type {ElementType, Key, ReactElement} from 'react'
import {Fragment, jsxDEV as reactJsx, type JSXSource} from 'react/jsx-dev-runtime'

import {shownProps} from './shown.ts'

export type {JSX} from 'react/jsx-dev-runtime'
export {Fragment}

export function jsxDEV(
	type: ElementType,
	props: unknown,
	key: Key | undefined,
	isStatic: boolean,
	source?: JSXSource,
	self?: unknown
): ReactElement {
	return reactJsx(type, shownProps(type, props), key, isStatic, source, self)
}

import {omitUndefined} from '#shared/omit-undefined.ts'
import {useNavigate, useSearch} from '@tanstack/react-router'

import type {TimeRange} from '#ui/chart/histogram-shapes.ts'

/** The time chosen in the event chart: everything on the screen with a time follows it. */
export function useChosenTime() {
	const {span, from, to} = useSearch({from: '/overview'})
	const navigate = useNavigate({from: '/overview'})
	const range: TimeRange | null = from === undefined || to === undefined ? null : {from, to}
	const choose = (next: TimeRange | null) => void navigate({search: {...omitUndefined({span}), ...next}, replace: true})
	return {range, choose}
}

/** Path of a screen with `from` and `to`, for this time. */
export function pathDuring(path: string, range: TimeRange | null) {
	if (range === null) return path
	const joint = path.includes('?') ? '&' : '?'
	return `${path}${joint}from=${encodeURIComponent(range.from)}&to=${encodeURIComponent(range.to)}`
}

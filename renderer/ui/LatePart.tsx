import {type ComponentType, lazy, type ReactNode, Suspense, useState} from 'react'

import {CordonError} from '#contract/errors.ts'

import {Button} from './Button.tsx'
import {ErrorState} from './States.tsx'
import {t} from './text.ts'

interface LatePartOptions {
	/** Of the failure. */
	title?: string
	fallback?: ReactNode
	/** Where the failure is told; default: in place of the part. */
	Around?: ComponentType<{children: ReactNode}>
}

/** A part whose code is loaded when it is first shown. A load that failed is told in its place, and tried again by hand. */
export function latePart<Props extends object>(load: () => Promise<ComponentType<Props>>, options: LatePartOptions = {}) {
	const {title, fallback, Around = InPlace} = options
	let part: ComponentType<Props> | null = null
	/** Addresses of stylesheets that this part once failed for. */
	const own = new Set<string>()
	const get = async () => {
		await missingStyles(own)
		const before = new Set(failedSheets)
		try {
			return (part ??= await load())
		} catch (error) {
			for (const link of failedSheets) if (!before.has(link)) own.add(link.href)
			throw error
		}
	}
	/** React keeps a load that failed, so each try is a part of its own. */
	const begin = (again: () => void) => {
		const failed = () => (
			<Around>
				<NotLoaded {...{title, again}} />
			</Around>
		)
		return part ?? lazy(async () => ({default: await get().catch((): ComponentType<Props> => failed)}))
	}
	function Late(props: Props) {
		const [Part, setPart] = useState(() => begin(again))
		function again() {
			setPart(() => begin(again))
		}
		return (
			<Suspense fallback={fallback}>
				<Part {...props} />
			</Suspense>
		)
	}
	return Object.assign(Late, {preload: async () => void (await get().catch(() => {}))})
}

const failedSheets = new Set<HTMLLinkElement>()
/** Under way, whoever began them. */
const tries = new Set<Promise<void>>()
let later: ReturnType<typeof setTimeout> | undefined
const againMs = 5000

function keepFailed({target}: Event) {
	if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedSheets.add(target)
}

/** The bundler asks for each stylesheet once: without this, the try after one that failed would do without it. Those of other parts hold none up. */
async function missingStyles(own: ReadonlySet<string>) {
	document.addEventListener('error', keepFailed, true)
	for (const link of failedSheets) {
		failedSheets.delete(link)
		const next = link.cloneNode() as HTMLLinkElement // of the same kind
		const {promise, resolve} = Promise.withResolvers<void>()
		const end = () => resolve(void tries.delete(promise))
		next.addEventListener('load', end)
		next.addEventListener('error', end)
		tries.add(promise)
		link.replaceWith(next)
	}
	// Others may begin one anew meanwhile.
	while (tries.size > 0) await Promise.all(tries)
	if ([...failedSheets].some(({href}) => own.has(href))) throw new CordonError('reset', t.partNotSent)
	if (failedSheets.size === 0) return
	// Nothing tells whether the part that is shown now shares one of these.
	clearTimeout(later)
	later = setTimeout(() => void missingStyles(new Set()), againMs)
}

function InPlace({children}: {children: ReactNode}) {
	return children
}

function NotLoaded({title, again}: {title: string | undefined; again: () => void}) {
	return (
		<ErrorState
			error={new CordonError('reset', t.partNotSent)}
			title={title ?? t.partNotLoaded}
			onRetry={again}
			remedy={<Button onPress={() => location.reload()}>{t.reloadThePage}</Button>}
		/>
	)
}

import {type AnyRoute, createRootRoute, lazyRouteComponent, type RouteComponent} from '@tanstack/react-router'
import type {LucideIcon} from 'lucide-react'
import type {ComponentType, ReactNode} from 'react'

import type {ScreenId} from '#model/screens.ts'

/** A folder `features/<name>/` exports it as `screen` from its `screen.tsx`, which is found by that name. */
export interface Screen {
	/** Its line in `shared/model/screens.ts`; the routes without a line are reached from it. */
	readonly id: ScreenId
	/** In the navigation, with what stands at the end of its line. */
	readonly Icon?: LucideIcon
	readonly Count?: ComponentType
	readonly routes: readonly AnyRoute[]
}

/** The routes of each folder: its `screen.tsx` adds them here, so that the addresses in links are checked by the compiler. */
export interface ScreenRoutes {}

const root = createRootRoute()

/** Spread into every route of a screen. */
export const inFrame = {getParentRoute: () => root}

/** Spread into a route whose code is loaded when it is first shown. */
export function pageAt<const Path extends string, const Name extends string>(
	path: Path,
	load: () => Promise<{readonly [Key in Name]: () => ReactNode}>,
	name: Name,
): typeof inFrame & {readonly path: Path; readonly component: RouteComponent} {
	return {...inFrame, path, component: lazyRouteComponent(load, name) as RouteComponent} // the generic name hides it
}

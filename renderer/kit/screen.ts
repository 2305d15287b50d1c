import {type AnyRoute, type AnyValidator, createRootRoute, createRoute, type RouteComponent} from '@tanstack/react-router'
import type {LucideIcon} from 'lucide-react'
import type {ComponentType, ReactNode} from 'react'

import type {ScreenId} from '#model/screens.ts'

import {latePart} from '#ui/LatePart.tsx'

/** A folder `features/<name>/` exports it as `screen` from its `screen.tsx`, which is found by that name. */
export interface Screen {
	/** Its line in `shared/model/screens.ts`; the routes without a line are reached from it. */
	id: ScreenId
	/** In the navigation, with what stands at the end of its line. */
	Icon?: LucideIcon
	Count?: ComponentType
	routes: readonly AnyRoute[]
}

/** The routes of each folder: its `screen.tsx` adds them here, so that the addresses in links are checked by the compiler. */
export interface ScreenRoutes {}

const root = createRootRoute()

/** Spread into every route. */
export const inFrame = {getParentRoute: () => root}

type LoadScreen<Name extends string> = () => Promise<{readonly [Key in Name]: () => ReactNode}>

/** The router's own late component leaves the page for a new one when its code cannot be loaded, and would lose what was typed. */
export function screenOf<Name extends string>(load: LoadScreen<Name>, name: Name): RouteComponent {
	return latePart(async () => (await load())[name])
}

/** A route whose code is loaded when it is first shown. */
export function pageAt<const Path extends string, const Name extends string, Search extends AnyValidator = undefined>(
	path: Path,
	load: LoadScreen<Name>,
	name: Name,
	validateSearch?: Search
) {
	return createRoute({...inFrame, path, component: screenOf(load, name), validateSearch: validateSearch as Search})
}

import {createHashHistory, createRoute, createRouter, redirect, RouterProvider} from '@tanstack/react-router'
import {type ReactNode, StrictMode} from 'react'
import {RouterProvider as AriaRouterProvider} from 'react-aria-components'
import {flushSync} from 'react-dom'
import {createRoot} from 'react-dom/client'

import {screens} from '#model/screens.ts'

import {ApiProvider, useSettings} from '#api/hooks.tsx'
import {asCordonError} from '#api/errors.ts'
import {type Api, createApi} from '#api/client.ts'
import {openWire} from '#api/wire.ts'
import {computerSearchSchema} from '../features/computer/search.ts'
import {firstPageOf} from '../features/computers/rows.ts'
import {computersSearchSchema} from '../features/computers/search.ts'
import {trajectorySearchSchema} from '../features/trajectory/search.ts'
import {inFrame, pageAt, type ScreenRoutes} from '#kit/screen.ts'
import {createUiStore, UiProvider, type UiStore} from '#state/ui.tsx'
import {Announcer} from '#ui/Announcer.tsx'
import {ClockProvider, createPageClock, type PageClock} from '#ui/Time.tsx'
import {revealCutWords} from '#ui/cut-words.ts'
import {EmptyState, ErrorState} from '#ui/States.tsx'
import {ChosenKeysProvider} from '#ui/keys/ChosenKeys.tsx'
import {rowHeightOf, RowHeightProvider} from '#ui/RowHeight.tsx'
import {SingleKeysProvider} from '#ui/SingleKeys.tsx'
import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import '#ui/tokens.css'
import '#ui/looks.css'
import {Frame} from './Frame.tsx'
import {parts} from './screens.ts'
import {t} from './text.ts'
import {useLook} from './theme.ts'
import {activeAmong} from './use-active.ts'

export function start(): void {
	const root = document.getElementById('root')
	if (root === null) throw new Error('index.html has no root element.')
	const api = createApi(openWire())
	const store = createUiStore()
	const clock = createPageClock()
	// A redirection would overtake an address that comes during the start.
	if (['', '#', '#/'].includes(location.hash)) history.replaceState(history.state, '', `#${lastScreen()}`)
	const router = createAppRouter()
	router.subscribe('onResolved', ({toLocation}) => keepScreen(toLocation.pathname))
	window.addEventListener('pagehide', () => api.close())
	revealCutWords(document)
	const app = (
		<StrictMode>
			<App api={api} store={store} clock={clock} router={router} />
		</StrictMode>
	)
	const late = new Promise(resolve => setTimeout(resolve, longestWaitMs))
	// A frame that says what fails, or is late, is better than none.
	const drawable = firstAnswers(api, router).catch(() => {})
	// Until it is rendered, nothing else follows an address that comes meanwhile.
	const off = router.history.subscribe(() => void router.load())
	void Promise.race([drawable, late]).then(() => {
		flushSync(() => createRoot(root).render(app))
		off()
	})
}

const longestWaitMs = 200

/** Resolves when frame, screen and rows can be drawn at once: drawing them one after the other takes longer. */
async function firstAnswers({cache, queries}: Api, router: AppRouter) {
	const [settings, connections] = await Promise.all([
		cache.fetchQuery(queries.settings.get.queryOptions()),
		cache.fetchQuery(queries.connections.list.queryOptions()),
		router.load()
	])
	const {pathname, search} = router.state.location
	const active = activeAmong(connections, [settings.activeConnection])
	if (pathname !== '/computers' || active === undefined) return
	await cache.prefetchQuery(firstPageOf(queries, active.id, computersSearchSchema.parse(search)))
}

interface AppProps {
	api: Api
	store: UiStore
	clock: PageClock
	router: AppRouter
}

function App({api, store, clock, router}: AppProps) {
	return (
		<ApiProvider api={api}>
			<UiProvider store={store}>
				<Preferences clock={clock}>
					<Announcer>
						<AriaRouterProvider navigate={path => router.history.push(path)} useHref={path => `#${path}`}>
							<RouterProvider router={router} />
						</AriaRouterProvider>
					</Announcer>
				</Preferences>
			</UiProvider>
		</ApiProvider>
	)
}

/** What a person set for this profile, handed to the kit. */
function Preferences({clock, children}: {clock: PageClock; children: ReactNode}) {
	const settings = useSettings()
	useLook(settings)
	return (
		<ClockProvider clock={clock} zone={settings.timeZone} clockForm={settings.clockForm} dateForm={settings.dateForm}>
			<SingleKeysProvider value={settings.singleKeys}>
				<ChosenKeysProvider value={settings.keys}>
					<RowHeightProvider value={rowHeightOf(settings)}>{children}</RowHeightProvider>
				</ChosenKeysProvider>
			</SingleKeysProvider>
		</ClockProvider>
	)
}

const {getParentRoute} = inFrame
const root = getParentRoute().update({component: Frame, notFoundComponent: NotFound})

const home = createRoute({
	...inFrame,
	path: '/',
	beforeLoad: () => {
		throw redirect({to: lastScreen(), replace: true})
	}
})

/** Made of two folders, which know nothing of each other. */
const computer = pageAt(
	'/computers/$guid',
	() => import('./ComputerRoute.tsx'),
	'ComputerRoute',
	computerSearchSchema.extend(trajectorySearchSchema.shape)
)

type Routes = ScreenRoutes[keyof ScreenRoutes][number] | typeof home | typeof computer

const routes: readonly unknown[] = [home, computer, ...parts.flatMap(part => part.routes)]

const tree = root.addChildren(routes as readonly Routes[]) // each folder declares its own

/** Addresses live behind the `#`, so that hosts need not know the routes. */
function createAppRouter() {
	return createRouter({
		routeTree: tree,
		history: createHashHistory(),
		defaultPreload: 'intent',
		defaultErrorComponent: ({error, reset}) => <ErrorState error={asCordonError(error)} title={t.thisScreenFailed} onRetry={reset} />
	})
}

type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
	interface Register {
		router: AppRouter
	}
}

function NotFound() {
	return (
		<EmptyState title={t.thereNoSuch} to={['/computers', t.goComputers]}>
			{t.versionNoScreen}
		</EmptyState>
	)
}

const storage = 'cordon.screen'

function startAt(path: string | null) {
	return screens.find(screen => screen.isStart === true && screen.path === path)
}

/** Keeps a screen for the next start. */
function keepScreen(path: string) {
	if (startAt(path) === undefined) return
	try {
		localStorage.setItem(storage, path)
	} catch {
		// A browser that keeps nothing starts on the Overview.
	}
}

/** The screen on which this profile's page was last; the Overview at first. */
function lastScreen() {
	try {
		return startAt(localStorage.getItem(storage))?.path ?? '/overview'
	} catch {
		return '/overview'
	}
}

import {
	createHashHistory,
	createRootRoute,
	createRoute,
	createRouter,
	lazyRouteComponent,
	redirect,
	RouterProvider,
} from '@tanstack/react-router'
import {type ReactNode, StrictMode} from 'react'
import {RouterProvider as AriaRouterProvider} from 'react-aria-components'
import {flushSync} from 'react-dom'
import {createRoot} from 'react-dom/client'

import {ApiProvider} from '../api/ApiProvider.tsx'
import {type Api, createApi} from '../api/client.ts'
import {asCordonError} from '../api/errors.ts'
import {useSettings} from '../api/hooks.ts'
import {openWire} from '../api/wire.ts'
import {commandLineSearchSchema} from '../features/command-line/search.ts'
import {computerSearchSchema} from '../features/computer/search.ts'
import {firstPageOf} from '../features/computers/rows.ts'
import {computersSearchSchema} from '../features/computers/search.ts'
import {connectionsSearchSchema} from '../features/connections/search.ts'
import {eventsSearchSchema} from '../features/events/search.ts'
import {
	fileListSearchSchema,
	fileListsSearchSchema,
	hashSearchSchema,
	listEditorSearchSchema,
} from '../features/file-lists/search.ts'
import {compareGroupsSearchSchema, groupSearchSchema, groupsSearchSchema} from '../features/groups/search.ts'
import {handoverSearchSchema, incidentLogSearchSchema} from '../features/incident-log/search.ts'
import {instanceSearchSchema, instancesSearchSchema, parametersSearchSchema} from '../features/instances/search.ts'
import {jobSearchSchema, jobsSearchSchema} from '../features/jobs/search.ts'
import {overviewSearchSchema} from '../features/overview/search.ts'
import {playbookDocumentSearchSchema, playbooksSearchSchema} from '../features/playbooks/search.ts'
import {compareSearchSchema, policiesSearchSchema, policySearchSchema} from '../features/policies/search.ts'
import {searchSearchSchema} from '../features/search/search.ts'
import {settingsSearchSchema} from '../features/settings/search.ts'
import {trajectorySearchSchema} from '../features/trajectory/search.ts'
import {createUiStore, UiProvider, type UiStore} from '../state/ui.tsx'
import {Announcer} from '../ui/Announcer.tsx'
import {ClockProvider, createPageClock, type PageClock} from '../ui/Clock.tsx'
import {revealCutWords} from '../ui/cut-words.ts'
import {EmptyState, ErrorState} from '../ui/EmptyState.tsx'
import {ChosenKeysProvider} from '../ui/keys/ChosenKeys.tsx'
import {Link} from '../ui/Link.tsx'
import {rowHeightOf, RowHeightProvider} from '../ui/RowHeight.tsx'
import {SingleKeysProvider} from '../ui/SingleKeys.tsx'
import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import '../ui/tokens.css'
import {Frame} from './Frame.tsx'
import {keepScreen, lastScreen} from './last-screen.ts'
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
	const drawable = firstAnswers(api, router).catch(() => undefined)
	// Until it is rendered, nothing else follows an address that comes meanwhile.
	const off = router.history.subscribe(() => void router.load())
	void Promise.race([drawable, late]).then(() => {
		flushSync(() => createRoot(root).render(app))
		off()
	})
}

const longestWaitMs = 200

/** Resolves when frame, screen and rows can be drawn at once: drawing them one after the other takes longer. */
async function firstAnswers({cache, queries}: Api, router: AppRouter): Promise<void> {
	const [settings, connections] = await Promise.all([
		cache.fetchQuery(queries.settings.get.queryOptions()),
		cache.fetchQuery(queries.connections.list.queryOptions()),
		router.load(),
	])
	const {pathname, search} = router.state.location
	const active = activeAmong(connections, [settings.activeConnection])
	if (pathname !== '/computers' || active === undefined) return
	await cache.prefetchQuery(firstPageOf(queries, active.id, computersSearchSchema.parse(search)))
}

interface AppProps {
	readonly api: Api
	readonly store: UiStore
	readonly clock: PageClock
	readonly router: AppRouter
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
function Preferences({clock, children}: {readonly clock: PageClock; readonly children: ReactNode}) {
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

const root = createRootRoute({component: Frame, notFoundComponent: NotFound})

/** Of every screen. */
const child = {getParentRoute: () => root}

const home = createRoute({
	...child,
	path: '/',
	beforeLoad: () => {
		throw redirect({to: lastScreen(), replace: true})
	},
})

const overview = createRoute({
	...child,
	path: '/overview',
	validateSearch: overviewSearchSchema,
	component: lazyRouteComponent(() => import('../features/overview/OverviewScreen.tsx'), 'OverviewScreen'),
})

const computers = createRoute({
	...child,
	path: '/computers',
	validateSearch: computersSearchSchema,
	component: lazyRouteComponent(() => import('../features/computers/ComputersScreen.tsx'), 'ComputersScreen'),
})

const computer = createRoute({
	...child,
	path: '/computers/$guid',
	validateSearch: computerSearchSchema.extend(trajectorySearchSchema.shape),
	component: lazyRouteComponent(() => import('./ComputerRoute.tsx'), 'ComputerRoute'),
})

const groups = createRoute({
	...child,
	path: '/groups',
	validateSearch: groupsSearchSchema,
	component: lazyRouteComponent(() => import('../features/groups/GroupsScreen.tsx'), 'GroupsScreen'),
})

const compareGroups = createRoute({
	...child,
	path: '/groups/compare',
	validateSearch: compareGroupsSearchSchema,
	component: lazyRouteComponent(() => import('../features/groups/CompareScreen.tsx'), 'CompareScreen'),
})

const group = createRoute({
	...child,
	path: '/groups/$guid',
	validateSearch: groupSearchSchema,
	component: lazyRouteComponent(() => import('../features/groups/GroupScreen.tsx'), 'GroupScreen'),
})

const policies = createRoute({
	...child,
	path: '/policies',
	validateSearch: policiesSearchSchema,
	component: lazyRouteComponent(() => import('../features/policies/PoliciesScreen.tsx'), 'PoliciesScreen'),
})

const comparePolicies = createRoute({
	...child,
	path: '/policies/compare',
	validateSearch: compareSearchSchema,
	component: lazyRouteComponent(() => import('../features/policies/CompareScreen.tsx'), 'CompareScreen'),
})

const policy = createRoute({
	...child,
	path: '/policies/$guid',
	validateSearch: policySearchSchema,
	component: lazyRouteComponent(() => import('../features/policies/PolicyScreen.tsx'), 'PolicyScreen'),
})

const events = createRoute({
	...child,
	path: '/events',
	validateSearch: eventsSearchSchema,
	// Detections first. An address with anything in it, even an empty filter, is shown as it stands.
	beforeLoad: ({search}) => {
		if (Object.keys(search).length === 0) throw redirect({to: '/events', search: {filter: 'severity>=low'}, replace: true})
	},
	component: lazyRouteComponent(() => import('../features/events/EventsScreen.tsx'), 'EventsScreen'),
})

const fileLists = createRoute({
	...child,
	path: '/file-lists',
	validateSearch: fileListsSearchSchema,
	component: lazyRouteComponent(() => import('../features/file-lists/FileListsScreen.tsx'), 'FileListsScreen'),
})

const fileList = createRoute({
	...child,
	path: '/file-lists/$guid',
	validateSearch: fileListSearchSchema,
	component: lazyRouteComponent(() => import('../features/file-lists/FileListScreen.tsx'), 'FileListScreen'),
})

const hash = createRoute({
	...child,
	path: '/file-lists/hash/$sha256',
	validateSearch: hashSearchSchema,
	component: lazyRouteComponent(() => import('../features/file-lists/HashScreen.tsx'), 'HashScreen'),
})

const listEditor = createRoute({
	...child,
	path: '/file-lists/$guid/edit',
	validateSearch: listEditorSearchSchema,
	component: lazyRouteComponent(() => import('../features/file-lists/editor/EditorScreen.tsx'), 'EditorScreen'),
})

const fileListItem = createRoute({
	...child,
	path: '/file-lists/$guid/$sha256',
	validateSearch: hashSearchSchema,
	component: lazyRouteComponent(() => import('../features/file-lists/HashScreen.tsx'), 'ItemScreen'),
})

const search = createRoute({
	...child,
	path: '/search',
	validateSearch: searchSearchSchema,
	component: lazyRouteComponent(() => import('../features/search/SearchScreen.tsx'), 'SearchScreen'),
})

const log = createRoute({
	...child,
	path: '/log',
	validateSearch: incidentLogSearchSchema,
	component: lazyRouteComponent(() => import('../features/incident-log/IncidentLogScreen.tsx'), 'IncidentLogScreen'),
})

const handover = createRoute({
	...child,
	path: '/log/handover',
	validateSearch: handoverSearchSchema,
	component: lazyRouteComponent(() => import('../features/incident-log/HandoverScreen.tsx'), 'HandoverScreen'),
})

const jobs = createRoute({
	...child,
	path: '/jobs',
	validateSearch: jobsSearchSchema,
	component: lazyRouteComponent(() => import('../features/jobs/JobsScreen.tsx'), 'JobsScreen'),
})

const job = createRoute({
	...child,
	path: '/jobs/$id',
	validateSearch: jobSearchSchema,
	component: lazyRouteComponent(() => import('../features/jobs/JobScreen.tsx'), 'JobScreen'),
})

const playbooks = createRoute({
	...child,
	path: '/playbooks',
	validateSearch: playbooksSearchSchema,
	component: lazyRouteComponent(() => import('../features/playbooks/PlaybooksScreen.tsx'), 'PlaybooksScreen'),
})

const approvals = createRoute({
	...child,
	path: '/approvals',
	component: lazyRouteComponent(() => import('../features/approvals/ApprovalsScreen.tsx'), 'ApprovalsScreen'),
})

const automation = createRoute({
	...child,
	path: '/automation',
	component: lazyRouteComponent(() => import('../features/automation/AutomationScreen.tsx'), 'AutomationScreen'),
})

const playbookRun = createRoute({
	...child,
	path: '/playbooks/$id',
	component: lazyRouteComponent(() => import('../features/playbooks/RunScreen.tsx'), 'RunScreen'),
})

const playbookDocument = createRoute({
	...child,
	path: '/playbooks/document/$playbook',
	validateSearch: playbookDocumentSearchSchema,
	component: lazyRouteComponent(() => import('../features/playbooks/editor/EditorScreen.tsx'), 'EditorScreen'),
})

const instances = createRoute({
	...child,
	path: '/instances',
	validateSearch: instancesSearchSchema,
	component: lazyRouteComponent(() => import('../features/instances/InstancesScreen.tsx'), 'InstancesScreen'),
})

const parameters = createRoute({
	...child,
	path: '/instances/parameters',
	validateSearch: parametersSearchSchema,
	component: lazyRouteComponent(() => import('../features/instances/ParametersScreen.tsx'), 'ParametersScreen'),
})

const instance = createRoute({
	...child,
	path: '/instances/$id',
	validateSearch: instanceSearchSchema,
	component: lazyRouteComponent(() => import('../features/instances/InstanceScreen.tsx'), 'InstanceScreen'),
})

const connections = createRoute({
	...child,
	path: '/connections',
	validateSearch: connectionsSearchSchema,
	component: lazyRouteComponent(() => import('../features/connections/ConnectionsScreen.tsx'), 'ConnectionsScreen'),
})

const settings = createRoute({
	...child,
	path: '/settings',
	validateSearch: settingsSearchSchema,
	component: lazyRouteComponent(() => import('../features/settings/SettingsScreen.tsx'), 'SettingsScreen'),
})

const commandLine = createRoute({
	...child,
	path: '/command-line',
	validateSearch: commandLineSearchSchema,
	component: lazyRouteComponent(() => import('../features/command-line/CommandLineScreen.tsx'), 'CommandLineScreen'),
})

const unlockCodes = createRoute({
	...child,
	path: '/unlock-codes',
	component: lazyRouteComponent(() => import('../features/unlock-codes/UnlockCodesScreen.tsx'), 'UnlockCodesScreen'),
})

const tree = root.addChildren([
	home,
	overview,
	computers,
	computer,
	groups,
	compareGroups,
	group,
	policies,
	comparePolicies,
	policy,
	events,
	search,
	fileLists,
	fileList,
	hash,
	listEditor,
	fileListItem,
	jobs,
	job,
	playbooks,
	playbookRun,
	playbookDocument,
	approvals,
	automation,
	log,
	handover,
	instances,
	parameters,
	instance,
	connections,
	settings,
	commandLine,
	unlockCodes,
])

/** Addresses live behind the `#`, so that hosts need not know the routes. */
function createAppRouter() {
	return createRouter({
		routeTree: tree,
		history: createHashHistory(),
		defaultPreload: 'intent',
		defaultErrorComponent: ({error, reset}) => (
			<ErrorState error={asCordonError(error)} title={t.thisScreenFailed} onRetry={reset} />
		),
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
		<EmptyState title={t.thereNoSuch} action={<Link href="/computers">{t.goComputers}</Link>}>
			{t.versionNoScreen}
		</EmptyState>
	)
}

import type {ProcedureUtils} from '@orpc/tanstack-query'
import {useMutation, type UseMutationOptions, useQuery, QueryClientProvider} from '@tanstack/react-query'
import {useCallback, useSyncExternalStore, createContext, useContext, type ReactNode} from 'react'
import type {CordonError} from '#contract/errors.ts'
import type {Connection} from '#model/connection.ts'
import type {FrameState} from '#model/frame.ts'
import {nothingManaged, type ManagedView} from '#model/managed.ts'
import {settingsSchema, type Settings} from '#model/settings.ts'
import type {Api} from './client.ts'

export type Question<Input, Output> = ProcedureUtils<Record<never, never>, Input, Output, CordonError>

/** What the host answers, kept current by the live stream. */
export function useAsked<Input, Output>(
	of: (queries: Api['queries']) => Question<Input, Output>,
	...[options]: Parameters<Question<NoInfer<Input>, Output>['queryOptions']>
) {
	// A generic call does not say whether the options are needed.
	return useQuery(of(useApi().queries).queryOptions(options as never) as ReturnType<Question<Input, Output>['queryOptions']>)
}

/** The same about the active connection. */
export function useAskedHere<Input extends {connection: string}, Output>(
	of: (queries: Api['queries']) => Question<Input, Output>,
	about: Omit<NoInfer<Input>, 'connection'>,
	options?: Omit<NonNullable<Parameters<Question<NoInfer<Input>, Output>['queryOptions']>[0]>, 'input'>
) {
	const {connection} = useConnected()
	return useAsked(of, {...options, input: {...about, connection}} as never)
}

/** A call to the host on demand, and what became of it. */
export function useCall<Given = void, Answer = unknown>(
	call: (client: Api['client'], given: Given) => Promise<Answer>,
	options?: Omit<UseMutationOptions<Answer, CordonError, Given>, 'mutationFn'>
) {
	const {client} = useApi()
	return useMutation({...options, mutationFn: (given: Given) => call(client, given)})
}

export function useWireState() {
	const {wire} = useApi()
	return useSyncExternalStore(wire.subscribe, wire.state)
}

/** The frame that the host pushed last; `null` before the first. */
export function useFrame(connection: string | null): FrameState | null {
	const {frames} = useApi().live
	return useSyncExternalStore(frames.subscribe, () => (connection === null ? null : (frames.get().get(connection) ?? null)))
}

/** `null` before the run reports progress. */
export function useProgress(run: string | null) {
	const {progress} = useApi().live
	return useSyncExternalStore(progress.subscribe, () => (run === null ? null : (progress.get().get(run) ?? null)))
}

export function useConnections(): readonly Connection[] | undefined {
	return useAsked(q => q.connections.list).data
}

const defaults: Settings = settingsSchema.parse({})

/** The defaults until the host answers. */
export function useSettings(): Settings {
	return useAsked(q => q.settings.get).data ?? defaults
}

/** The name under which this host writes the incident log; a dash until the host answers. */
export function useOperator() {
	return useAsked(q => q.app.info).data?.operator ?? '–'
}

export function useManaged(): ManagedView {
	return useAsked(q => q.settings.managed).data ?? nothingManaged
}

/** Shows the change at once, and reverts it when the host refuses. */
export function useSetSettings() {
	const {queries, cache} = useApi()
	const readAgain = () => void cache.invalidateQueries({queryKey: queries.settings.key()})
	const {mutate} = useMutation(queries.settings.set.mutationOptions({onError: readAgain}))
	return useCallback(
		(change: Partial<Settings>) => {
			cache.setQueryData(queries.settings.get.queryKey(), (old: Settings | undefined) => ({...(old ?? defaults), ...change}))
			mutate(change)
		},
		[queries, cache, mutate]
	)
}

const ApiContext = createContext<Api | null>(null)

export function ApiProvider({api, children}: {api: Api; children: ReactNode}) {
	return (
		<ApiContext.Provider value={api}>
			<QueryClientProvider client={api.cache}>{children}</QueryClientProvider>
		</ApiContext.Provider>
	)
}

export function useApi(): Api {
	const api = useContext(ApiContext)
	if (api === null) throw new Error('There is no ApiProvider above this component.')
	return api
}

const ActiveContext = createContext<Connection | null>(null)

export const ActiveConnectionProvider = ActiveContext.Provider

/** `null` when there is no connection at all. */
export function useActiveConnectionOrNull(): Connection | null {
	return useContext(ActiveContext)
}

export function useActiveConnection(): Connection {
	const connection = useContext(ActiveContext)
	if (connection === null) throw new Error('This screen needs a connection.')
	return connection
}

/** For work on the connection that is active: the API and the connection's id. */
export function useConnected(): Api & {connection: string} {
	const {id: connection} = useActiveConnection()
	return {...useApi(), connection}
}

export function useActiveFrame(): FrameState | null {
	return useFrame(useContext(ActiveContext)?.id ?? null)
}

/** Computers in local data; `null` until they are loaded, because 0 would be a guess. */
export function useComputersCount() {
	const frame = useActiveFrame()
	const isKnown = frame !== null && (frame.counts.computers > 0 || frame.inventory.completeAt !== null)
	return isKnown ? frame.counts.computers : null
}

/** Why this connection refuses changes, in a sentence; `null` when it allows them. */
export function useWriteRefusal() {
	const connection = useActiveConnectionOrNull()
	const mode = useActiveFrame()?.mode
	if (connection === null) return 'There is no connection.'
	if (mode === undefined) return connection.readOnly ? 'This connection is read-only here.' : null
	if (mode.kind === 'guarded') return null
	if (mode.because === 'managed') return `Read-only: set by your administrator. ${mode.problem ?? ''}`.trim()
	return mode.because === 'locked'
		? 'You switched writing off: unlock it at the top of the window.'
		: 'This connection is read-only: change that under Connections.'
}

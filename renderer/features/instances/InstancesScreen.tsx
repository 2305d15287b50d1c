import {useNavigate} from '@tanstack/react-router'
import {useRef, useState} from 'react'

import type {ForwarderStatus, InstanceRow} from '#contract/instances.ts'
import {forwardKeys} from '#model/server-parameter.ts'
import {formatCount} from '#text/numbers.ts'
import {useAsked} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {useAddress} from '#kit/use-address.ts'
import {Banner, EmptyState, ErrorState} from '#ui/States.tsx'
import {Button, useCopy} from '#ui/Button.tsx'
import {cx} from '#ui/cx.ts'
import {Dialog} from '#ui/Dialog.tsx'
import {useAtCursor, useKeys} from '#ui/keys/KeyRegistry.tsx'
import {DataTable} from '#ui/table/DataTable.tsx'
import type {TableHandle} from '#ui/table/types.ts'
import {RadioGroup} from '#ui/Field.tsx'
import {ScreenBar} from '#ui/Screen.tsx'
import {CertificateDialog} from './CertificateDialog.tsx'
import {instanceColumns} from './columns.tsx'
import {confirmAct, ConfirmField} from './GuardDialog.tsx'
import {emptyDraft, publishing} from './draft.ts'
import {InstanceDialog} from './InstanceDialog.tsx'
import styles from './InstancesScreen.module.css'
import {PeekPanel} from './PeekPanel.tsx'
import type {InstanceAct, InstancesSearch} from './search.ts'
import {ServerBand} from './ServerBand.tsx'
import {t} from './text.ts'
import {SureDialog} from './SureDialog.tsx'
import {useGuard} from './use-guard.ts'
import {describeRow, routeUrl} from './words.ts'

const noRows: readonly InstanceRow[] = []

export function InstancesScreen() {
	const screen = useInstancesScreen()
	const {data, error, refetch, search, navigate, table, cursor, show, open, server, rows, peeked} = screen
	return (
		<div className={cx('beside', styles.screen)}>
			<div className={styles.main}>
				<ScreenBar title={t.instances} facts={rows && <Facts rows={rows} />}>
					<Button onPress={() => void navigate({to: '/instances/parameters', search: {}})}>{t.serverParameters}</Button>
					<Button tone="primary" onPress={() => show({act: 'add'})} opens>
						{t.addInstance}
					</Button>
				</ScreenBar>
				{error !== null && data === undefined ? null : <ServerBand server={server} show={act => show({act})} />}
				<div className={styles.table}>
					<DataTable
						label={t.instances}
						source={rows ?? (error === null ? undefined : noRows)}
						columns={instanceColumns}
						rowKey={({instance}) => instance.id}
						describe={describeRow}
						onOpen={({instance}) => open(instance.id)}
						menu={row => ({
							title: row.instance.name,
							acts: (['probe', 'edit', 'expose'] as const).map(act => [actWords[act], () => open(row.instance.id, act)]),
							copies: [['name', row.instance.name], ...(server === undefined ? [] : [[t.addressRoute, routeUrl(server, row)] as const])]
						})}
						isPeeking={search.peek !== undefined}
						onPeek={({instance}) => show({peek: instance.id === search.peek ? undefined : instance.id})}
						onCursor={row => {
							cursor.current = row?.instance.id
							if (row !== undefined && search.peek !== undefined) show({peek: row.instance.id})
						}}
						isBusy={rows === undefined && error === null}
						empty={
							rows === undefined && error !== null ? (
								<ErrorState error={error} title={t.couldNotLoadInstances} onRetry={refetch} />
							) : (
								<NoInstances onAdd={() => show({act: 'add'})} />
							)
						}
						handle={table}
					/>
				</div>
			</div>
			{peeked !== undefined && server !== undefined && (
				<PeekPanel
					key={peeked.instance.id}
					row={peeked}
					server={server}
					onClose={() => show({peek: undefined})}
					onOpen={act => open(peeked.instance.id, act)}
				/>
			)}
			<Dialogs
				search={search}
				server={server}
				rows={rows}
				close={() => void navigate({search: ({peek}) => ({peek}), replace: true})}
				open={open}
			/>
		</div>
	)
}

function useInstancesScreen() {
	const {data, error, refetch} = useAsked(q => q.instances.list)
	const {search, change: show} = useAddress('/instances')
	const navigate = useNavigate({from: '/instances'})
	const toClipboard = useCopy()
	const table = useRef<TableHandle>(null)
	const cursor = useRef<string | undefined>(undefined)
	const open = (id: string, act?: InstanceAct) => void navigate({to: '/instances/$id', params: {id}, search: act === undefined ? {} : {act}})
	const server = data?.server
	const copy = (row: InstanceRow) => {
		if (server !== undefined) toClipboard(`Address of ${row.instance.name}`, routeUrl(server, row))
	}
	const rows = data?.rows
	const atCursor = () => rows?.find(({instance}) => instance.id === cursor.current)
	const onCurrent = useAtCursor(atCursor, () => 'Go to an instance first')
	// They move and open dialogs, and change nothing.
	useKeys({
		'instances.add': () => show({act: 'add'}),
		'instances.certificate': () => show({act: 'certificate'}),
		'instances.reach': () => show({act: 'reach'}),
		'instances.parameters': () => void navigate({to: '/instances/parameters', search: {}}),
		'instances.edit': onCurrent(({instance}) => open(instance.id, 'edit')),
		'instances.expose': onCurrent(({instance}) => open(instance.id, 'expose')),
		'instances.probe': onCurrent(({instance}) => open(instance.id, 'probe')),
		'instances.copy': onCurrent(copy)
	})
	const peeked = rows?.find(({instance}) => instance.id === search.peek)
	return {data, error, refetch, search, navigate, table, cursor, show, open, server, rows, peeked}
}

const actWords = {probe: t.probe, edit: t.changeMore, expose: t.exposeMore}

interface DialogsProps {
	search: InstancesSearch
	server: Parameters<typeof ServerBand>[0]['server']
	rows: readonly InstanceRow[] | undefined
	close: () => void
	open: (id: string) => void
}

function Dialogs({search, server, rows, close, open}: DialogsProps) {
	const {act, connection, list, name} = search
	if (act === 'add') {
		const draft = list === undefined ? emptyDraft : publishing({connection: connection ?? '', list, name: name ?? ''})
		return <InstanceDialog stored={null} draft={draft} server={server} onClose={close} onSaved={({id}) => open(id)} />
	}
	if (server === undefined) return null
	if (act === 'certificate') return <CertificateDialog server={server} onClose={close} />
	if (act === 'reach') return <ReachDialog server={server} rows={rows ?? []} onClose={close} />
	if (act === 'stop') return <StopDialog rows={rows ?? []} onClose={close} />
	return null
}

function Facts({rows}: {rows: readonly InstanceRow[]}) {
	const exposed = rows.filter(({exposure}) => exposure.exposed).length
	const ill = rows.filter(({health}) => health.state === 'unhealthy').length
	return (
		<span>
			{t.profileExposed(formatCount(rows.length), formatCount(exposed))}
			{ill !== 0 && <span className={styles.ill}> {t.unhealthy(formatCount(ill))}</span>}
		</span>
	)
}

function NoInstances({onAdd}: {onAdd: () => void}) {
	return (
		<EmptyState
			title={t.noInstanceYet}
			action={
				<Button onPress={onAdd} opens>
					{t.addInstance}
				</Button>
			}
		>
			<p>
				{t.instanceService} <code>{t.instanceExecuteName}</code>
				{t.withoutPort}
			</p>
			<p>{t.givePortRunning}</p>
		</EmptyState>
	)
}

/** Stopping the forwarding server removes every route; instances continue. */
function StopDialog({rows, onClose}: {rows: readonly InstanceRow[]; onClose: () => void}) {
	const exposed = rows.filter(({exposure}) => exposure.exposed)
	return (
		<SureDialog
			verb={t.stopTheServer}
			title={t.stopForwarding}
			tone="danger"
			onClose={onClose}
			cancel={t.keepItRunning}
			call={(instances, confirmation) => instances.parameters.set({key: forwardKeys.enabled, value: 'false', ...confirmation})}
		>
			<p>
				{t.runningRequests(
					exposed.length === 0
						? t.noInstance
						: t.noLongerReachable(
								exposed.length === 1 ? t.oneExposed : t.exposedInstancesAre(exposed.length),
								exposed.map(({instance}) => instance.name).join(', ')
							)
				)}
			</p>
		</SureDialog>
	)
}

/** Whether the server listens on loopback only or on every interface. */
function ReachDialog({server, rows, onClose}: {server: ForwarderStatus; rows: readonly InstanceRow[]; onClose: () => void}) {
	const guard = useGuard()
	const [reach, setReach] = useState<'loopback' | 'lan'>(server.settings.lan ? 'lan' : 'loopback')
	const isNew = (reach === 'lan') !== server.settings.lan
	const save = () =>
		guard.run(
			(instances, confirmation) => instances.parameters.set({key: forwardKeys.lan, value: reach === 'lan' ? 'true' : 'false', ...confirmation}),
			onClose
		)
	const verb = reach === 'lan' ? t.listenNetwork : t.listenComputer
	return (
		<Dialog
			title={t.whoReachForwarding}
			cancel
			onClose={onClose}
			act={guard.asked === null ? [verb, save, guard.isPending ? t.saving : isNew ? null : 'It listens there already.'] : confirmAct(verb, guard)}
		>
			<RadioGroup
				label={t.serverListens}
				value={reach}
				onChange={next => {
					setReach(next)
					guard.clear()
				}}
				options={[
					{value: 'loopback', label: 'This computer alone', detail: 'Loopback: no other computer can open a connection to it.'},
					{value: 'lan', label: 'The network', detail: 'Every interface: anyone who can reach this computer can use the exposed instances.'}
				]}
			/>
			{reach === 'lan' && <Open rows={rows} />}
			<ConfirmField guard={guard} />
			<Failure error={guard.error} />
		</Dialog>
	)
}

/** Exposed instances without access control. */
function Open({rows}: {rows: readonly InstanceRow[]}) {
	const open = rows.filter(({exposure, instance}) => exposure.exposed && instance.access.kind === 'none' && instance.allow.length === 0)
	if (open.length === 0) return null
	return <Banner tone="warning">{t.exposedWithout(open.map(({instance}) => instance.name).join(', '))}</Banner>
}

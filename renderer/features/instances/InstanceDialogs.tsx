import {useEffectEvent, useLayoutEffect} from 'react'

import type {ForwarderStatus, InstanceDetail, InstanceRow} from '#contract/instances.ts'
import {probeStages} from '#model/choices.ts'
import {exposeKey} from '#model/server-parameter.ts'
import {formatMeasured} from '#text/durations.ts'
import {counted, formatCount, formOf} from '#text/numbers.ts'
import {probeTitles} from '#text/states.ts'
import {nouns} from '#text/terms.ts'
import {useApi} from '#api/hooks.tsx'
import {useStages} from '#api/use-stages.ts'
import {Banner, Skeleton} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {Stages} from '#ui/Stages.tsx'
import {Address} from './Address.tsx'
import {InstanceDialog} from './InstanceDialog.tsx'
import type {InstanceSearch} from './search.ts'
import {SureDialog} from './SureDialog.tsx'
import {t} from './text.ts'
import {accessWords, routeUrl} from './words.ts'

interface InstanceDialogsProps {
	detail: InstanceDetail
	server: ForwarderStatus
	act: InstanceSearch['act']
	onClose: () => void
	/** Called after the instance was removed. */
	onGone: () => void
}

/** Dialogs opened by buttons and keys of the screen. */
export function InstanceDialogs(props: InstanceDialogsProps) {
	const {detail, server, act, onClose} = props
	const {row} = detail
	switch (act) {
		case 'edit':
			return <InstanceDialog stored={row.instance} server={server} onClose={onClose} onSaved={onClose} />
		case 'expose':
			return <ExposeDialog row={row} server={server} onClose={onClose} />
		case 'probe':
			return <ProbeDialog row={row} onClose={onClose} />
		case 'port':
			return <PortDialog {...props} />
		case 'restart':
			return <RestartDialog {...props} />
		case 'publish':
			return <PublishDialog {...props} />
		case 'remove':
			return <RemoveDialog {...props} />
		case undefined:
			return null
	}
}

function PortDialog({detail, onClose}: InstanceDialogsProps) {
	const {id, name, openPort, listenPort, access} = detail.row.instance
	return (
		<SureDialog
			title={openPort ? t.closePort(name) : t.openPort(name)}
			verb={openPort ? t.closePortOf(listenPort) : t.openPortOf(listenPort)}
			tone={openPort ? 'primary' : 'danger'}
			onClose={onClose}
			call={(instances, confirmation) => instances.setOpenPort({id, open: !openPort, ...confirmation})}
		>
			{openPort ? <p>{t.listensLoopback}</p> : <p>{t.listensEvery(listenPort, access.kind === 'none' ? '' : t.whatSetApplies)}</p>}
		</SureDialog>
	)
}

function RestartDialog({detail, onClose}: InstanceDialogsProps) {
	const {id, name} = detail.row.instance
	return (
		<SureDialog verb={t.restart(name)} tone="primary" onClose={onClose} call={instances => instances.restart({id})}>
			<p>{t.cordonStops}</p>
		</SureDialog>
	)
}

function PublishDialog({detail, onClose}: InstanceDialogsProps) {
	const {id, name} = detail.row.instance
	const heldBack = detail.list?.heldBack ?? null
	if (heldBack === null) return null
	const now = detail.list?.entries ?? 0
	return (
		<SureDialog
			title={t.publishList(name)}
			verb={t.publish(counted(heldBack.entries, nouns.value))}
			tone="danger"
			onClose={onClose}
			call={instances => instances.publish({id})}
		>
			<p>{t.publishedNow(counted(now, nouns.value), formOf(now, ['is', 'are']), formatCount(heldBack.entries), formatCount(heldBack.lost))}</p>
		</SureDialog>
	)
}

function RemoveDialog({detail, onClose, onGone}: InstanceDialogsProps) {
	const {id, name, program} = detail.row.instance
	return (
		<SureDialog verb={t.removeOf(name)} tone="danger" onClose={onClose} onDone={onGone} call={instances => instances.remove({id})}>
			<p>{t.cordonDeletes(program.kind === 'external' ? t.serviceItself : t.serverStopped)}</p>
		</SureDialog>
	)
}

/** Opened by the key: the exposure switch with its consequences. */
function ExposeDialog({row, server, onClose}: {row: InstanceRow; server: ForwarderStatus; onClose: () => void}) {
	const {instance, exposure} = row
	const {id, name, access} = instance
	const exposed = !exposure.exposed
	return (
		<SureDialog
			verb={exposed ? t.expose(name) : t.stopExposing(name)}
			tone={exposed ? 'primary' : 'danger'}
			onClose={onClose}
			call={(instances, confirmation) => instances.setExposed({id, exposed, ...confirmation})}
		>
			<Address text={routeUrl(server, row)} what={t.addressRoute} />
			{exposed ? (
				<p>
					{t.answersAddress(
						server.settings.lan ? t.everyoneWho : t.onThisComputer,
						access.kind === 'none' ? t.withoutAccessControl : t.withAccessControl(accessWords[access.kind])
					)}
				</p>
			) : (
				<p>{t.addressAnswers}</p>
			)}
			<p>{t.serverParameter(exposeKey(name), String(exposed))}</p>
		</SureDialog>
	)
}

/** Calls the route like a client, and shows each stage. */
function ProbeDialog({row, onClose}: {row: InstanceRow; onClose: () => void}) {
	const {id, name} = row.instance
	const {client} = useApi()
	const probe = useStages((_: void, signal) => client.instances.probe({id}, {signal}))
	const start = useEffectEvent(() => probe.start())
	useLayoutEffect(() => start(), [])
	return (
		<Dialog
			title={t.probeOf(name)}
			onClose={onClose}
			footer={
				<>
					<Button onPress={() => probe.start()} reason={probe.isRunning ? t.probeRunning : null}>
						{t.probeAgain}
					</Button>
					<Button tone="primary" autoFocus onPress={onClose}>
						{t.close}
					</Button>
				</>
			}
		>
			<p className="fact">{t.getComputer(row.route)}</p>
			<Stages
				label={t.resultProbe}
				isBusy={probe.isRunning}
				stages={probeStages.map(stage => {
					const result = probe.results.find(one => one.stage === stage)
					const none = probe.isRunning ? <Skeleton width="50%" /> : t.skippedInline
					return {
						title: probeTitles[stage],
						verdict: result?.outcome,
						said: result?.message ?? none,
						time: result?.durationMs == null ? '' : formatMeasured(result.durationMs)
					}
				})}
			/>
			{probe.failure !== null && (
				<Banner tone="bad">
					{t.couldNotRun} {probe.failure}
				</Banner>
			)}
		</Dialog>
	)
}

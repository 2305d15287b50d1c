import {useState} from 'react'

import type {DryRun, PlaybookInput, PlaybookRun, PlaybookSummary} from '#model/playbook.ts'
import {openSteps} from '#text/changes.ts'

import {useActiveConnection, useSettings, useCall} from '#api/hooks.tsx'
import {ChangeFrame} from '#commands/change/ChangeFrame.tsx'
import {Failure} from '#commands/Failure.tsx'
import {Banner} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {InView} from '#ui/InView.tsx'
import {TextField} from '#ui/Field.tsx'
import {PlainTable, tableRow} from '#ui/Facts.tsx'
import {Tag, type Tone} from '#ui/Tag.tsx'
import type {PlaybooksSearch} from './search.ts'
import {t} from './text.ts'

interface StartDialogProps {
	playbook: PlaybookSummary
	/** The objects chosen on the opening screen. */
	given: PlaybooksSearch
	onStarted: (run: PlaybookRun) => void
	onClose: () => void
}

/** One field per external variable. Guard rules are handled by the steps themselves. */
export function StartDialog({playbook, given: chosen, onStarted, onClose}: StartDialogProps) {
	const {id: connection} = useActiveConnection()
	const {activeIncident: incident} = useSettings()
	const {id, name, description, inputs} = playbook
	const [values, setValues] = useState(() => filledFrom(inputs, chosen))
	const [key, setKey] = useState(() => crypto.randomUUID())
	const start = useCall(client => client.playbooks.start({playbook: id, connection, variables: valuesOf(inputs, values), incident, key}), {
		onSuccess: onStarted
	})
	const rehearse = useCall(client => client.playbooks.dryRun({playbook: id, connection, variables: valuesOf(inputs, values)}))
	const missing = inputs.find(one => (values[one.name] ?? one.value ?? '') === '')
	const reason = missing === undefined ? null : t.missing(labelOf(missing))
	return (
		<ChangeFrame
			title={t.startPlaybook(name)}
			size={rehearse.data === undefined ? 'medium' : 'large'}
			onClose={onClose}
			price={
				<Button onPress={() => rehearse.mutate()} reason={reason ?? (rehearse.isPending ? t.dryRunning : null)}>
					{rehearse.isPending ? t.dryRunning : t.dryRun}
				</Button>
			}
			confirm={
				<Button tone="primary" onPress={() => start.mutate()} reason={reason ?? (start.isIdle || start.isError ? null : t.inProgress)}>
					{t.startNow}
				</Button>
			}
		>
			<p>{description}</p>
			{inputs.map((input, index) => (
				<TextField
					key={input.name}
					label={labelOf(input)}
					value={values[input.name] ?? input.value ?? ''}
					onChange={value => {
						// It was of other values.
						rehearse.reset()
						setKey(crypto.randomUUID())
						if (!start.isPending) start.reset()
						setValues(old => ({...old, [input.name]: value}))
					}}
					error={[start.error, rehearse.error].find(error => error?.details.field === input.name)?.message ?? null}
					autoFocus={index === 0}
				/>
			))}
			<Failure error={start.error} />
			<Failure error={rehearse.error} />
			{rehearse.data !== undefined && (
				<InView>
					<DryRunResult dry={rehearse.data} />
				</InView>
			)}
		</ChangeFrame>
	)
}

export function labelOf({name, description}: PlaybookInput) {
	return description === '' ? name.replaceAll('__', '') : description
}

export function valuesOf(inputs: readonly PlaybookInput[], values: Readonly<Record<string, string>>): Record<string, string> {
	return Object.fromEntries(inputs.map(({name, value}) => [name, values[name] ?? value ?? '']))
}

/** By names and types of the variables. */
export function filledFrom(
	inputs: readonly PlaybookInput[],
	{computer, computers, sha256, indicators}: PlaybooksSearch
): Readonly<Record<string, string>> {
	const entries = inputs.flatMap(({name, type}) => {
		const plain = name.replaceAll('__', '')
		const named = {computer, computers: computers ?? computer, indicators: indicators ?? sha256}[plain]
		const found = named ?? (type === 'sha256-hash' ? sha256 : undefined)
		return found === undefined ? [] : [[name, found] as const]
	})
	return Object.fromEntries(entries)
}

const dryTones: Readonly<Record<string, Tone>> = {change: 'warn', refused: 'bad', read: 'plain', question: 'accent'}

function DryRunResult({dry: {steps, because, changes, calls, open}}: {dry: DryRun}) {
	return (
		<section aria-label={t.dryRun} className="stack">
			<Banner tone={because === null ? 'info' : 'warning'}>
				{t.dryTotal(changes, calls)}
				{openSteps(open)} {because === null ? t.wouldComplete : t.wouldEnd(because)}
			</Banner>
			<PlainTable columns={[t.step, t.kind, t.what, t.result, t.calls]}>
				{steps.map(({step, name, kind, what, result, calls: price}) =>
					tableRow(`${step} ${what}`, name, <Tag tone={dryTones[kind] ?? 'plain'}>{kind}</Tag>, what, result.slice(0, 300), price !== 0 && price)
				)}
			</PlainTable>
		</section>
	)
}

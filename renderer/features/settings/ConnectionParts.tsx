import {useNavigate} from '@tanstack/react-router'
import {useState} from 'react'

import {shortestPassphrase} from '#model/connections-file.ts'
import {managedSentence} from '#model/managed.ts'
import {useConnections, useManaged, useAsked, useCall} from '#api/hooks.tsx'
import {ActDialog} from '#commands/ActDialog.tsx'
import {Failure} from '#commands/Failure.tsx'
import {Button, Link} from '#ui/Button.tsx'
import {TextField} from '#ui/Field.tsx'
import {KeyValue, fact} from '#ui/Facts.tsx'
import {Loaded} from '#ui/States.tsx'
import {saveText} from '#ui/save.ts'
import {Part} from './Part.tsx'
import {t} from './text.ts'

export function ConnectionFilesPart() {
	const navigate = useNavigate()
	const own = useConnections()?.filter(({sandbox}) => !sandbox).length ?? 0
	const {keysStay} = useManaged().connections
	const [isSealing, setSealing] = useState(false)
	const {mutate, error, isPending} = useCall(client => client.local.exportConnections(), {onSuccess: saveText})
	return (
		<Part title={t.connections} about={t.exportContains}>
			<div className="cluster">
				<Button onPress={() => void navigate({to: '/connections', search: {}})}>{t.showTheConnections}</Button>
				<Button onPress={() => mutate()} reason={own === 0 ? t.noConnection : isPending ? t.saving : null}>
					{t.exportConnections}
				</Button>
				<Button onPress={() => setSealing(true)} lock={keysStay ? `${managedSentence}.` : null} reason={own === 0 ? t.noConnection : null} opens>
					{t.exportWithKeys}
				</Button>
				<Button onPress={() => void navigate({to: '/connections', search: {import: true}})} opens>
					{t.importConnections}
				</Button>
			</div>
			<Failure error={error} />
			{isSealing && <SealDialog onClose={() => setSealing(false)} />}
		</Part>
	)
}

/** The rules themselves belong to a connection. */
export function GuardsPart() {
	return (
		<Part title={t.guardRules} about={t.limitsProtected}>
			<p>
				{t.see} <Link href="/connections">{t.theConnections}</Link>
				{t.keyReadOnly}
			</p>
		</Part>
	)
}

export function NetworkPart() {
	const network = useAsked(q => q.local.network)
	return (
		<Part title={t.network} about={t.takenEnvironment}>
			<Loaded of={network} lines={2} label={t.queryingTheHost}>
				{({problem, proxy, exceptions}) => (
					<KeyValue
						facts={[
							fact('Proxy', problem ?? proxy ?? 'none'),
							exceptions !== null && fact('Bypass proxy for', exceptions),
							fact('Authorities', 'those of Node and of the system')
						]}
					/>
				)}
			</Loaded>
		</Part>
	)
}

const empty = {seal: '', again: '', reason: '', passphrase: ''}
type Typed = typeof empty

/** All connections with their keys, in a file encrypted with a passphrase. The log keeps the reason. */
function SealDialog({onClose}: {onClose: () => void}) {
	const asks = useAsked(q => q.app.info).data?.secretStore.asks ?? 'nothing'
	const [typed, setTyped] = useState(empty)
	const {seal, reason, passphrase} = typed
	const problems = problemsOf(typed, asks === 'passphrase')
	return (
		<ActDialog
			title={t.exportConnectionsKeys}
			size="small"
			act={t.exportKeys}
			tone="hold"
			work={client => client.local.exportSealed({seal, reason, ...(asks === 'passphrase' && {passphrase})})}
			isReady={Object.keys(problems).length === 0}
			busy={t.encryptingTheFile}
			onDone={file => {
				saveText(file)
				onClose()
			}}
			onClose={onClose}
		>
			{({wasPressed}) => {
				const field = (name: keyof Typed) => ({
					value: typed[name],
					onChange: (value: string) => setTyped({...typed, [name]: value}),
					isRequired: true,
					error: wasPressed ? (problems[name] ?? null) : null
				})
				return (
					<>
						<p>{t.anyoneFile}</p>
						<TextField label={t.passphraseFile} type="password" autoFocus autoComplete="new-password" {...field('seal')} />
						<TextField label={t.repeatPassphrase} type="password" autoComplete="new-password" {...field('again')} />
						<TextField label={t.reason} maxLength={255} description={t.whoExported} {...field('reason')} />
						{asks === 'passphrase' && <TextField label={t.passphraseProfile} type="password" autoComplete="off" {...field('passphrase')} />}
						{asks === 'prompt' && <p>{t.systemAsksWhoYouAre}</p>}
					</>
				)
			}}
		</ActDialog>
	)
}

function problemsOf({seal, again, reason, passphrase}: Typed, needsProfile: boolean): Partial<Typed> {
	return {
		...(seal.length < shortestPassphrase && {seal: `It needs at least ${shortestPassphrase} characters.`}),
		...(seal !== again && {again: 'The two are not the same.'}),
		...(reason.trim() === '' && {reason: 'Say why: the log keeps the reason, never a key.'}),
		...(needsProfile && passphrase === '' && {passphrase: 'The keys are kept with it.'})
	}
}

import {type Ref, useState} from 'react'

import {type Connection, type ConnectionColour, connectionColours, opensProduction, serverPresets} from '#model/connection.ts'
import {managedSentence} from '#model/managed.ts'
import {formOf} from '#text/numbers.ts'
import {useConnections, useFrame, useManaged, useAsked} from '#api/hooks.tsx'
import {bound, boundCheck} from '#ui/bound.ts'
import {Banner} from '#ui/States.tsx'
import {Button, FileButton} from '#ui/Button.tsx'
import {Disclosure} from '#ui/Disclosure.tsx'
import {TextArea, TextField, Checkbox, RadioGroup} from '#ui/Field.tsx'
import {Held} from '#ui/Held.tsx'
import {InView} from '#ui/InView.tsx'
import {ComboBox, Select} from '#ui/Select.tsx'
import styles from './connections.module.css'
import {countCertificates, type Draft, type Problem, type ProblemField, type ProxyKind, twinOf} from './draft.ts'
import {TestResults} from './TestResults.tsx'
import {t} from './text.ts'
import type {FormState} from './use-connection-form.ts'
import type {DraftTest} from './use-test.ts'

interface DraftFieldsProps {
	form: FormState
	draftTest: DraftTest
	/** `null` for a new one. */
	stored: Connection | null
	focus: 'name' | 'apiKey'
}

/** The form of a connection: notes, fields, the refused one, and the test's results. */
export function DraftFields({form, draftTest: {test, problem}, stored, focus}: DraftFieldsProps) {
	const {draft, set, place, failure} = form
	return (
		<>
			<FormNotes draft={draft} stored={stored} />
			<ConnectionForm {...{place, draft, problem, stored, focus}} onChange={set} />
			{failure !== null && (
				<InView>
					<Banner tone="bad">{failure}</Banner>
				</InView>
			)}
			<TestResults test={test} />
		</>
	)
}

/** Notes before saving: no key can be stored, or such a connection exists. */
function FormNotes({draft, stored}: {draft: Draft; stored: Connection | null}) {
	const {data, refetch, isFetching} = useAsked(q => q.app.info)
	const store = data?.secretStore
	const twin = twinOf(draft, stored, useConnections() ?? [])
	return (
		<>
			{store?.available === false && (
				<Banner tone="bad" act={[t.checkAgain, () => void refetch(), isFetching ? t.checking : null]}>
					{t.keysCannot} {store.reason}
				</Banner>
			)}
			{stored !== null && <RefusedKey id={stored.id} />}
			{twin !== null && <Banner tone="warning">{t.leadsSameService(twin.name)}</Banner>}
		</>
	)
}

function RefusedKey({id}: {id: string}) {
	const link = useFrame(id)?.link
	if (link?.kind !== 'failing' || link.error.code !== 'unauthorized') return null
	return <Banner tone="warning">{t.serviceRejects}</Banner>
}

interface ConnectionFormProps {
	draft: Draft
	onChange: (draft: Draft) => void
	problem: Problem | null
	/** Key and proxy credentials stay when their fields are empty; `null` for a new one. */
	stored: Connection | null
	focus: 'name' | 'apiKey'
	/** Where the form finds the refused field. */
	place: Ref<HTMLDivElement>
}

/** The fields of a connection. The key is entered here and never shown again. */
function ConnectionForm(props: ConnectionFormProps) {
	const it = useConnectionForm(props)
	const {draft, onChange, stored, focus, place, held, address, set, errorOf, setUrl} = it
	return (
		<div ref={place} className="stack">
			<div className={styles.pair}>
				<TextField
					label={t.name}
					value={draft.name}
					onChange={name => set('name', name)}
					isRequired
					autoFocus={focus === 'name'}
					maxLength={60}
					error={errorOf('name')}
					placeholder={t.acmeEu}
				/>
				<Colour name={draft.name} value={draft.colour} onChange={colour => set('colour', colour)} />
			</div>
			<ComboBox
				label={t.serverUrl}
				isRequired
				input={address}
				onInput={setUrl}
				onChoose={setUrl}
				options={serverPresets
					.filter(({url}) => held.servers?.includes(url) ?? true)
					.map(({url, title, region}) => ({value: url, label: url, detail: `${title} (${region})`}))}
				placeholder={t.https}
				error={errorOf('url')}
				description={held.servers === null ? t.chooseRegion : `${managedSentence}: ${held.servers.join(', ')}.`}
			/>
			<TextField
				label={t.clientId}
				value={draft.clientId}
				onChange={clientId => set('clientId', clientId)}
				isRequired
				mono
				autoComplete="off"
				error={errorOf('clientId')}
				description={t.named3rdParty}
			/>
			<ApiKeyField it={it} />
			<RadioGroup
				label={t.environment}
				orientation="horizontal"
				value={draft.environment}
				onChange={environment => set('environment', environment)}
				options={[
					{value: 'production', label: 'Production'},
					{value: 'test', label: 'Test'},
					{value: 'lab', label: 'Lab'},
				]}
			/>
			<Held by={held.readOnly}>
				<Checkbox isSelected={draft.readOnly || held.readOnly} onChange={readOnly => set('readOnly', readOnly)}>
					{t.readOnlyNothing}
				</Checkbox>
			</Held>
			<OpensProduction it={it} />
			<Held by={held.verified}>
				<Checkbox isSelected={draft.insecure} onChange={insecure => set('insecure', insecure)}>
					{t.trustAnyCertificate}
				</Checkbox>
			</Held>
			{draft.insecure && <Banner tone="bad">{t.anyoneNetwork}</Banner>}
			<NetworkFields
				draft={draft}
				onChange={onChange}
				errorOf={errorOf}
				loginFor={stored?.hasProxyLogin === true ? stored.proxy : null}
			/>
		</div>
	)
}

function OpensProduction({it}: {it: ConnectionFormState}) {
	const {draft, stored, set, errorOf} = it
	return stored !== null && opensProduction(stored, draft) ? (
		<>
			<Banner tone="warning">{t.opensProduction}</Banner>
			<TextField
				label={t.typeToConfirm(stored.name)}
				value={draft.confirm}
				onChange={confirm => set('confirm', confirm)}
				isRequired
				autoComplete="off"
				error={errorOf('confirm')}
			/>
			<TextField
				label={t.whyReadWrite}
				value={draft.reason}
				onChange={reason => set('reason', reason)}
				isRequired
				maxLength={255}
				error={errorOf('reason')}
			/>
		</>
	) : null
}

function ApiKeyField({it}: {it: ConnectionFormState}) {
	const {draft, focus, canKeep, hasKey, set, errorOf} = it
	return (
		<TextField
			label={t.apiKey}
			type="password"
			value={draft.apiKey}
			onChange={apiKey => set('apiKey', apiKey)}
			isRequired={!hasKey}
			autoFocus={focus === 'apiKey'}
			mono
			autoComplete="off"
			error={errorOf('apiKey')}
			description={hasKey ? (canKeep ? t.keyStoredType : t.storedKeyCannot) : canKeep ? t.keptEncrypted : t.keyTestedBut}
		/>
	)
}

type ConnectionFormState = ReturnType<typeof useConnectionForm>

function useConnectionForm({draft, onChange, problem, stored, focus, place}: ConnectionFormProps) {
	const held = useManaged().connections
	const canKeep = useAsked(q => q.app.info).data?.secretStore.available !== false
	const hasKey = stored !== null
	const [address, setAddress] = useState(() => draft.url)
	const set = <K extends keyof Draft>(field: K, value: Draft[K]) => onChange({...draft, [field]: value})
	const errorOf = (field: ProblemField) => (problem?.field === field ? problem.message : null)
	const setUrl = (url: string) => {
		setAddress(url)
		set('url', url)
	}
	return {draft, onChange, stored, focus, place, held, canKeep, hasKey, address, set, errorOf, setUrl}
}

function Colour({name, value, onChange}: {name: string; value: ConnectionColour; onChange: (colour: ConnectionColour) => void}) {
	return (
		<div>
			<Select
				label={t.windowColour}
				value={value}
				onChange={onChange}
				options={connectionColours.map(colour => ({value: colour, label: colour, swatch: `var(--connection-${colour})`}))}
			/>
			<p className={styles.preview} style={{background: `var(--connection-${value})`}} title={t.textContrast}>
				{name.trim() === '' ? t.acmeEu : name}
			</p>
		</div>
	)
}

interface NetworkFieldsProps {
	draft: Draft
	onChange: (draft: Draft) => void
	errorOf: (field: ProblemField) => string | null
	/** The proxy with stored credentials; `null` without any. */
	loginFor: string | null
}

const proxyKinds: readonly {readonly value: ProxyKind; readonly label: string}[] = [
	{value: 'system', label: 'Follow the system'},
	{value: 'direct', label: 'None'},
	{value: 'own', label: 'This one'},
]

/** Proxy and authorities of this connection only; folded, because most need neither. */
function NetworkFields(props: NetworkFieldsProps) {
	const {draft, errorOf} = props
	const isFaulty = (['proxy', 'proxyLogin', 'ca'] as const).some(field => errorOf(field) !== null)
	const [isOpen, setOpen] = useState(() => draft.proxyKind !== 'system' || draft.ca !== '')
	return (
		<Disclosure title={t.network} summary={summaryOf(draft)} isOpen={isOpen || isFaulty} onToggle={setOpen}>
			<div className="stack">
				<ProxyFields {...props} />
				<AuthorityField {...props} />
			</div>
		</Disclosure>
	)
}

function summaryOf({proxyKind, proxy, ca}: Draft) {
	const way = proxyKind === 'system' ? 'proxy from the system' : proxyKind === 'direct' ? 'no proxy' : `proxy ${proxy}`
	const count = countCertificates(ca)
	return count === 0 ? way : `${way} · ${count} own ${formOf(count, ['authority', 'authorities'])}`
}

function ProxyFields({draft, onChange, errorOf, loginFor}: NetworkFieldsProps) {
	const set = (change: Partial<Draft>) => onChange({...draft, ...change})
	const isStored = loginFor !== null && draft.proxy.trim() === loginFor
	return (
		<>
			<RadioGroup label={t.proxy} orientation="horizontal" {...bound(draft, set, 'proxyKind')} options={proxyKinds} />
			{draft.proxyKind === 'own' && (
				<>
					<TextField
						label={t.addressProxy}
						{...bound(draft, set, 'proxy')}
						isRequired
						mono
						autoComplete="off"
						placeholder={t.httpProxyExample}
						error={errorOf('proxy')}
					/>
					<div className="halves">
						<TextField
							label={t.userNameProxy}
							{...bound(draft, set, 'proxyUser')}
							autoComplete="off"
							error={errorOf('proxyLogin')}
							description={isStored ? t.userNamePassword : t.leaveBothEmpty}
						/>
						<TextField
							label={t.passwordProxy}
							type="password"
							{...bound(draft, set, 'proxyPassword')}
							autoComplete="off"
							description={t.keptEncryptedComputer}
						/>
					</div>
					{isStored && <Checkbox {...boundCheck(draft, set, 'forgetLogin')}>{t.forgetStored}</Checkbox>}
				</>
			)}
		</>
	)
}

/** Maximum size of a bundle (bytes): a company's is smaller. */
const largest = 262_144

function AuthorityField({draft, onChange, errorOf}: NetworkFieldsProps) {
	const [problem, setProblem] = useState<string | null>(null)
	const set = (ca: string) => {
		setProblem(null)
		onChange({...draft, ca})
	}
	const read = async (file: File) => {
		if (file.size > largest) setProblem('The file is too large for certificates in PEM.')
		else set(await file.text())
	}
	return (
		<>
			<TextArea
				label={t.certificateAuthoritiesPem}
				value={draft.ca}
				onChange={set}
				rows={3}
				mono
				placeholder={t.beginCertificate}
				error={problem ?? errorOf('ca')}
				description={t.certificatesConnection}
			/>
			<div className={styles.cardActions}>
				<FileButton label={t.fileCertificate} accept=".pem,.crt,.cer" onFile={file => void read(file)}>
					{t.readAFile}
				</FileButton>
				{draft.ca !== '' && <Button onPress={() => set('')}>{t.removeCertificates}</Button>}
			</div>
		</>
	)
}

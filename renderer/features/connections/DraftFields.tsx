import {type Ref, useState} from 'react'

import {type Connection, type ConnectionColour, connectionColours, opensProduction, serverPresets} from '#model/connection.ts'
import {managedSentence} from '#model/managed.ts'
import {formOf} from '#text/numbers.ts'
import {useConnections, useFrame, useManaged, useAsked} from '#api/hooks.tsx'
import {Banner} from '#ui/States.tsx'
import {Button, FileButton} from '#ui/Button.tsx'
import {Disclosure} from '#ui/Disclosure.tsx'
import {TextArea, TextField, Checkbox, RadioGroup} from '#ui/Field.tsx'
import {formFor, type Form} from '#ui/form.ts'
import {Held} from '#ui/Held.tsx'
import {InView} from '#ui/InView.tsx'
import {ComboBox, Select} from '#ui/Select.tsx'
import styles from './connections.module.css'
import {countCertificates, type Draft, type ProxyKind, twinOf} from './draft.ts'
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
	const change = (part: Partial<Draft>) => set({...draft, ...part})
	const fields = formFor(draft, change, field => (problem?.field === field ? problem.message : null))
	return (
		<>
			<FormNotes draft={draft} stored={stored} />
			<ConnectionForm {...{...fields, place, stored, focus}} />
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

interface ConnectionFormProps extends Form<Draft> {
	/** Key and proxy credentials stay when their fields are empty; `null` for a new one. */
	stored: Connection | null
	focus: 'name' | 'apiKey'
	/** Where the form finds the refused field. */
	place: Ref<HTMLDivElement>
}

/** The fields of a connection. The key is entered here and never shown again. */
function ConnectionForm(props: ConnectionFormProps) {
	const {draft, set, field, check, focus, place} = props
	const held = useManaged().connections
	const url = field('url')
	return (
		<div ref={place} className="stack">
			<div className={styles.pair}>
				<TextField label={t.name} {...field('name')} isRequired autoFocus={focus === 'name'} maxLength={60} placeholder={t.acmeEu} />
				<Colour name={draft.name} {...field('colour')} />
			</div>
			<ComboBox
				label={t.serverUrl}
				isRequired
				input={url.value}
				onInput={url.onChange}
				options={serverPresets
					.filter(({url}) => held.servers?.includes(url) ?? true)
					.map(({url, title, region}) => ({value: url, label: url, detail: `${title} (${region})`}))}
				placeholder={t.https}
				error={url.error}
				description={held.servers === null ? t.chooseRegion : `${managedSentence}: ${held.servers.join(', ')}.`}
			/>
			<TextField label={t.clientId} {...field('clientId')} isRequired mono autoComplete="off" description={t.named3rdParty} />
			<ApiKeyField {...props} />
			<RadioGroup
				label={t.environment}
				orientation="horizontal"
				{...field('environment')}
				options={[
					{value: 'production', label: 'Production'},
					{value: 'test', label: 'Test'},
					{value: 'lab', label: 'Lab'}
				]}
			/>
			<Held by={held.readOnly}>
				<Checkbox isSelected={draft.readOnly || held.readOnly} onChange={readOnly => set({readOnly})}>
					{t.readOnlyNothing}
				</Checkbox>
			</Held>
			<OpensProduction {...props} />
			<Held by={held.verified}>
				<Checkbox {...check('insecure')}>{t.trustAnyCertificate}</Checkbox>
			</Held>
			{draft.insecure && <Banner tone="bad">{t.anyoneNetwork}</Banner>}
			<NetworkFields {...props} />
		</div>
	)
}

function OpensProduction({draft, field, stored}: ConnectionFormProps) {
	return stored !== null && opensProduction(stored, draft) ? (
		<>
			<Banner tone="warning">{t.opensProduction}</Banner>
			<TextField label={t.typeToConfirm(stored.name)} {...field('confirm')} isRequired autoComplete="off" />
			<TextField label={t.whyReadWrite} {...field('reason')} isRequired maxLength={255} />
		</>
	) : null
}

function ApiKeyField({field, stored, focus}: ConnectionFormProps) {
	const canKeep = useAsked(q => q.app.info).data?.secretStore.available !== false
	const hasKey = stored !== null
	return (
		<TextField
			label={t.apiKey}
			type="password"
			{...field('apiKey')}
			isRequired={!hasKey}
			autoFocus={focus === 'apiKey'}
			mono
			autoComplete="off"
			description={hasKey ? (canKeep ? t.keyStoredType : t.storedKeyCannot) : canKeep ? t.keptEncrypted : t.keyTestedBut}
		/>
	)
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

const proxyKinds: readonly {value: ProxyKind; label: string}[] = [
	{value: 'system', label: 'Follow the system'},
	{value: 'direct', label: 'None'},
	{value: 'own', label: 'This one'}
]

/** Proxy and authorities of this connection only; folded, because most need neither. */
function NetworkFields(props: ConnectionFormProps) {
	const {draft, errorAt} = props
	const isFaulty = ['proxy', 'proxyLogin', 'ca'].some(field => errorAt(field) !== null)
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

function ProxyFields({draft, field, check, stored}: ConnectionFormProps) {
	const isStored = stored?.hasProxyLogin === true && draft.proxy.trim() === stored.proxy
	return (
		<>
			<RadioGroup label={t.proxy} orientation="horizontal" {...field('proxyKind')} options={proxyKinds} />
			{draft.proxyKind === 'own' && (
				<>
					<TextField label={t.addressProxy} {...field('proxy')} isRequired mono autoComplete="off" placeholder={t.httpProxyExample} />
					<div className="halves">
						<TextField
							label={t.userNameProxy}
							{...field('proxyUser', 'proxyLogin')}
							autoComplete="off"
							description={isStored ? t.userNamePassword : t.leaveBothEmpty}
						/>
						<TextField
							label={t.passwordProxy}
							type="password"
							{...field('proxyPassword')}
							autoComplete="off"
							description={t.keptEncryptedComputer}
						/>
					</div>
					{isStored && <Checkbox {...check('forgetLogin')}>{t.forgetStored}</Checkbox>}
				</>
			)}
		</>
	)
}

/** Maximum size of a bundle (bytes): a company's is smaller. */
const largest = 262_144

function AuthorityField({draft, set: change, errorAt}: ConnectionFormProps) {
	const [problem, setProblem] = useState<string | null>(null)
	const set = (ca: string) => {
		setProblem(null)
		change({ca})
	}
	const read = async (file: File) => {
		setProblem(null)
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
				error={problem ?? errorAt('ca')}
				description={t.certificatesConnection}
			/>
			<div className={styles.cardActions}>
				<FileButton label={t.fileCertificate} accept=".pem,.crt,.cer" value={draft.ca} onFile={read}>
					{t.readAFile}
				</FileButton>
				{draft.ca !== '' && <Button onPress={() => set('')}>{t.removeCertificates}</Button>}
			</div>
		</>
	)
}

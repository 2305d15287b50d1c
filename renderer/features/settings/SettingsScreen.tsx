import {type ComponentType, useEffect, useRef} from 'react'

import {browserName} from '#text/browser-name.ts'
import {showUnseen} from '#text/foreign.ts'
import {useManaged, useAsked, useCall} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {AddressField} from '#commands/filter/AddressField.tsx'
import {useAddress} from '#kit/use-address.ts'
import {Banner, EmptyState, Loaded, SkeletonLines} from '#ui/States.tsx'
import {Button, CopyButton} from '#ui/Button.tsx'
import {useKey} from '#ui/keys/KeyRegistry.tsx'
import {KeyValue, PlainTable, fact, tableRow} from '#ui/Facts.tsx'
import {saveText} from '#ui/save.ts'
import {Screen, ScreenBar} from '#ui/Screen.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {ConnectionFilesPart, GuardsPart, NetworkPart} from './ConnectionParts.tsx'
import {Folded} from './Folded.tsx'
import {KeyMapPart} from './KeyMapPart.tsx'
import {KeptEventsPart, StoredPart} from './LocalDataParts.tsx'
import {DensityPart, PalettePart, SingleKeysPart, SizePart, ThemePart, TimeFormPart, TrayPart, ZonePart} from './LookParts.tsx'
import {heldFacts} from './managed-words.ts'
import {NotifyKindsPart, NotifyPart, QuietHoursPart} from './NoticeParts.tsx'
import {Part} from './Part.tsx'
import {matchingParts, type PartId, sectionTitles} from './parts.ts'
import {type SectionId, sectionIds} from './search.ts'
import styles from './Settings.module.css'
import {t} from './text.ts'

function VersionPart() {
	const info = useAsked(q => q.app.info).data
	return (
		<Part title={t.version} about={t.cordonDoes}>
			{info === undefined ? (
				<SkeletonLines lines={3} label={t.queryingTheHost} />
			) : (
				<KeyValue
					facts={[fact('Version', `${info.version} (${info.host})`), fact('Operator', info.operator), fact('Profile', info.profile, 'mono')]}
				/>
			)}
		</Part>
	)
}

function LicencesPart() {
	return (
		<Part title={t.licences} about={t.cordonFree}>
			<div className={styles.wide}>
				<Folded title={t.packages(licences.length)}>
					<PlainTable columns={[t.package, t.version, t.licence]}>{licences.map(licence => tableRow(licence[0], ...licence))}</PlainTable>
				</Folded>
			</div>
		</Part>
	)
}

/** Dependencies of Cordon with their licences; `licences.test.ts` compares them with the installed ones. */
export const licences: readonly (readonly [name: string, version: string, licence: string])[] = [
	['@dagrejs/dagre', '3.1.3', 'MIT'],
	['@fontsource-variable/inter', '5.3.0', 'OFL-1.1'],
	['@fontsource-variable/jetbrains-mono', '5.3.0', 'OFL-1.1'],
	['@modelcontextprotocol/server', '2.4.0', 'Apache-2.0'],
	['@napi-rs/keyring', '2.1.2', 'MIT'],
	['@noble/hashes', '2.4.0', 'MIT'],
	['@orpc/client', '1.16.1', 'MIT'],
	['@orpc/contract', '1.16.1', 'MIT'],
	['@orpc/openapi', '1.16.1', 'MIT'],
	['@orpc/server', '1.16.1', 'MIT'],
	['@orpc/tanstack-query', '1.16.1', 'MIT'],
	['@peculiar/asn1-schema', '2.11.1', 'MIT'],
	['@peculiar/asn1-x509', '2.11.1', 'MIT'],
	['@peculiar/x509', '2.2.0', 'MIT'],
	['@tanstack/react-query', '5.108.0', 'MIT'],
	['@tanstack/react-router', '1.170.46', 'MIT'],
	['@tanstack/react-table', '9.3.1', 'MIT'],
	['@tanstack/react-virtual', '3.14.26', 'MIT'],
	['@xyflow/react', '12.12.1', 'MIT'],
	['ajv', '8.20.0', 'MIT'],
	['amqplib', '2.3.1', 'MIT'],
	['asn1js', '3.1.0', 'BSD-3-Clause'],
	['axios', '1.21.1', 'MIT'],
	['croner', '11.0.1', 'MIT'],
	['csv-parse', '7.0.3', 'MIT'],
	['echarts', '6.1.0', 'Apache-2.0'],
	['electron', '45.4.1', 'MIT'],
	['lucide-react', '1.75.0', 'ISC'],
	['pino', '10.4.0', 'MIT'],
	['react', '19.3.1', 'MIT'],
	['react-aria-components', '1.22.1', 'Apache-2.0'],
	['react-dom', '19.3.1', 'MIT'],
	['reflect-metadata', '0.2.2', 'Apache-2.0'],
	['ws', '8.23.0', 'MIT'],
	['yaml', '2.9.1', 'ISC'],
	['zod', '4.6.7', 'MIT'],
	['zustand', '5.1.0', 'MIT']
]

const contents: Readonly<Record<PartId, ComponentType>> = {
	theme: ThemePart,
	palette: PalettePart,
	size: SizePart,
	density: DensityPart,
	tray: TrayPart,
	zone: ZonePart,
	timeForm: TimeFormPart,
	singleKeys: SingleKeysPart,
	keyMap: KeyMapPart,
	notify: NotifyPart,
	notifyKinds: NotifyKindsPart,
	quietHours: QuietHoursPart,
	connectionFiles: ConnectionFilesPart,
	guards: GuardsPart,
	network: NetworkPart,
	stored: StoredPart,
	keptEvents: KeptEventsPart,
	secretStore: SecretStorePart,
	sessions: SessionsPart,
	managed: ManagedPart,
	version: VersionPart,
	licences: LicencesPart,
	diagnostics: DiagnosticsPart
}

/** All settings of this profile, and facts about the program. Changes take effect immediately. */
export function SettingsScreen() {
	const {search, change} = useAddress('/settings')
	const box = useRef<HTMLInputElement>(null)
	const find = search.find ?? ''
	const shown = matchingParts(find)
	const sections = sectionIds.filter(id => shown.some(part => part.section === id))
	const type = (next: string | undefined) => change({find: next, section: undefined})
	useKey('settings.find', () => box.current?.focus())
	useScrollTo(search.section)
	return (
		<Screen>
			<ScreenBar title={t.settings} facts={<span>{t.changesTake}</span>}>
				<AddressField
					label={t.searchTheSettings}
					hideLabel
					value={find}
					onChange={type}
					placeholder={t.searchTheSettings}
					inputRef={box}
					className={styles.find}
				/>
			</ScreenBar>
			<div className={styles.body}>
				<nav className={styles.index} aria-label={t.partsSettings}>
					{sections.map(id => (
						<Button
							key={id}
							tone="quiet"
							className={styles.indexItem}
							onPress={() => {
								change({section: id})
								goTo(id)
							}}
						>
							{sectionTitles[id]}
						</Button>
					))}
				</nav>
				<div className={styles.scroll}>
					{sections.length === 0 && <EmptyState title={t.noSettingMatches(find)} act={[t.showAllSettings, () => type(undefined)]} />}
					{sections.map(id => (
						<section key={id} id={anchor(id)} className={styles.section} aria-label={sectionTitles[id]}>
							<h2 className={styles.heading} tabIndex={-1}>
								{sectionTitles[id]}
							</h2>
							{shown
								.filter(part => part.section === id)
								.map(part => {
									const Content = contents[part.id]
									return <Content key={part.id} />
								})}
						</section>
					))}
				</div>
			</div>
		</Screen>
	)
}

function anchor(id: SectionId) {
	return `settings-${id}`
}

function goTo(id: SectionId) {
	const heading = document.getElementById(anchor(id))?.querySelector('h2')
	heading?.scrollIntoView({block: 'start'})
	heading?.focus({preventScroll: true})
}

/** Scrolls to a part named by a link, only when the screen opens. */
function useScrollTo(section: SectionId | undefined) {
	const first = useRef(section)
	useEffect(() => {
		if (first.current !== undefined) goTo(first.current)
	}, [])
}

function ManagedPart() {
	const managed = useManaged()
	return (
		<Part title={t.managedConfiguration} about={t.fileComputer}>
			{managed.problem !== null && (
				<Banner tone="bad">
					{managed.problem} {t.lastValidSettings}
				</Banner>
			)}
			{managed.state === 'none' && <p>{t.yourAdministrator}</p>}
			<KeyValue facts={heldFacts(managed)} />
		</Part>
	)
}

/** The secret store of API keys, route passwords and unlock codes, or why it is unavailable. */
function SecretStorePart() {
	const info = useAsked(q => q.app.info)
	return (
		<Part title={t.whereKeysKept} about={t.storesApiKeys}>
			<Loaded of={info} lines={2} label={t.queryingTheHost}>
				{({secretStore: {kind, available, reason}}) => (
					<KeyValue facts={[fact('Store', kind), fact('Usable', available ? 'yes' : 'no'), reason !== null && fact('Why not', reason)]} />
				)}
			</Loaded>
		</Part>
	)
}

/** The text is shown before saving, and exactly this text is saved. */
function DiagnosticsPart() {
	const {mutate, data, error, isPending} = useCall(client => client.local.diagnostics())
	return (
		<Part title={t.diagnostics} about={t.versionsStates}>
			<div className="cluster">
				<Button onPress={() => mutate()} reason={isPending ? t.generating : null}>
					{data === undefined ? t.generateReport : t.generateNewReport}
				</Button>
				{data !== undefined && (
					<>
						<Button tone="primary" onPress={() => saveText(data)}>
							{t.saveWhatShown}
						</Button>
						<CopyButton text={data.text} what="diagnostics" />
					</>
				)}
			</div>
			<Failure error={error} />
			{data !== undefined && (
				<div className={styles.wide}>
					<p className={styles.hint}>{t.reviewBeforeSharing}</p>
					<pre
						ref={element => element?.scrollIntoView({block: 'nearest'})}
						className={styles.preview}
						tabIndex={0}
						role="region"
						aria-label={t.diagnosticsThey}
					>
						{data.text}
					</pre>
				</div>
			)}
		</Part>
	)
}

function SessionsPart() {
	const sessions = useAsked(q => q.local.sessions)
	const end = useCall((client, id: string) => client.local.endSession({id}), {onSettled: () => void sessions.refetch()})
	return (
		<Part title={t.signedInBrowsers} about={t.eachSigned}>
			<Failure error={end.error} />
			<Loaded of={sessions} lines={2} label={t.queryingTheHost} empty={<p className={styles.hint}>{t.desktopWindow}</p>}>
				{all => (
					<PlainTable columns={[t.browser, t.signedIn, t.end]}>
						{all.map(({id, agent, openedAt, own}) => (
							<tr key={id}>
								<td>
									<bdi title={showUnseen(agent)}>{agent === '' ? t.programWithout : showUnseen(browserName(agent))}</bdi>{' '}
									{own === true && <Tag tone="accent">{t.thisBrowser}</Tag>}
								</td>
								<td>
									<Time at={openedAt} form="exact" />
								</td>
								<td>
									<Button isDisabled={end.isPending} onPress={() => end.mutate(id)}>
										{t.endSession}
									</Button>
								</td>
							</tr>
						))}
					</PlainTable>
				)}
			</Loaded>
		</Part>
	)
}

import {useState} from 'react'

import {listFormats, listTypes, mostCollections, storedValue} from '#model/instance.ts'
import {useConnections} from '#api/hooks.tsx'
import {bound, boundCheck} from '#ui/bound.ts'
import {Button} from '#ui/Button.tsx'
import {Disclosure} from '#ui/Disclosure.tsx'
import {TextArea, TextField, Checkbox} from '#ui/Field.tsx'
import {Select} from '#ui/Select.tsx'
import {emptyCollection, type CollectionDraft, type IndicatorDraft, type WebhookDraft} from './builtin-draft.ts'
import {errorAt, type PartProps} from './fields.tsx'
import styles from './form.module.css'
import type {ListDraft} from './list-draft.ts'
import {SourceFields} from './SourceFields.tsx'
import {t} from './text.ts'

/** The program run by Cordon, if any. */
export function ProgramPart(props: PartProps) {
	if (props.draft.kind === 'managed') return <Managed {...props} />
	if (props.draft.kind === 'indicators') return <IndicatorExport {...props} />
	if (props.draft.kind === 'webhook') return <WebhookIn {...props} />
	return props.draft.kind === 'list' ? <ListService {...props} /> : null
}

function Managed({draft, set, problem}: PartProps) {
	return (
		<>
			<TextField
				label={t.command}
				{...bound(draft, set, 'command')}
				isRequired
				mono
				error={errorAt(problem, 'program.command')}
				placeholder={t.python3ServicePy}
				description={t.programArguments}
			/>
			<div className="halves">
				<TextField
					label={t.folder}
					{...bound(draft, set, 'folder')}
					mono
					error={errorAt(problem, 'program.folder')}
					description={t.whereItStarts}
				/>
				<TextArea
					label={t.environment}
					{...bound(draft, set, 'environment')}
					mono
					rows={2}
					error={errorAt(problem, 'program.environment')}
					description={t.nameValueOne(storedValue)}
				/>
			</div>
		</>
	)
}

const typeWords = {sha256: 'SHA-256 hashes', ip: 'Addresses and networks', url: 'URLs', domain: 'Domains'} as const
const formatWords = {text: 'Text, one per line', json: 'JSON', csv: 'CSV'} as const
const collapseWords = {none: 'Unchanged', ranges: 'Ranges', cidrs: 'Networks (CIDR)'} as const

function ListService({draft, set, problem}: PartProps) {
	const {list} = draft
	const change = (next: Partial<ListDraft>) => set({list: {...list, ...next}})
	const sources = errorAt(problem, 'program.builtin.sources')
	return (
		<>
			<div className="halves">
				<Select
					label={t.values}
					{...bound(list, change, 'type')}
					options={listTypes.map(value => ({value, label: typeWords[value]}))}
				/>
				<Select
					label={t.format}
					{...bound(list, change, 'format')}
					options={listFormats.map(value => ({value, label: formatWords[value]}))}
				/>
			</div>
			<SourceFields list={list} change={change} error={sources} />
			<ListDetails list={list} change={change} problem={problem} />
		</>
	)
}

interface ListProps {
	list: ListDraft
	change: (next: Partial<ListDraft>) => void
}

function ListDetails({list, change, problem}: ListProps & Pick<PartProps, 'problem'>) {
	const at = (field: string) => errorAt(problem, `program.builtin.${field}`)
	const wrong = ['size', 'refreshS', 'shrinkGuardPercent', 'never'].some(field => at(field) !== null)
	const [isOpen, setOpen] = useState(false)
	return (
		<Disclosure
			title={t.howListBuilt}
			summary={t.everySShrink(list.refreshS, list.shrinkGuardPercent, list.size)}
			isOpen={isOpen || wrong}
			onToggle={setOpen}
		>
			<div className={styles.triple}>
				<TextField label={t.rebuiltEverySeconds} {...bound(list, change, 'refreshS')} error={at('refreshS')} />
				<TextField
					label={t.shrinkGuardPercent}
					{...bound(list, change, 'shrinkGuardPercent')}
					error={at('shrinkGuardPercent')}
					description={t.rebuildLoses}
				/>
				<TextField label={t.atMostValues} {...bound(list, change, 'size')} error={at('size')} />
			</div>
			<div className="halves">
				<Select
					label={t.addressesPut}
					{...bound(list, change, 'collapse')}
					options={(['none', 'ranges', 'cidrs'] as const).map(value => ({value, label: collapseWords[value]}))}
				/>
				<TextArea
					label={t.neverPublished}
					{...bound(list, change, 'never')}
					mono
					rows={2}
					error={at('never')}
					description={t.addressesNetworksDomains}
				/>
			</div>
			<div className={styles.checks}>
				<Checkbox {...boundCheck(list, change, 'dropInvalid')}>{t.dropValues}</Checkbox>
				<Checkbox {...boundCheck(list, change, 'stripProtocol')}>{t.cutHttpsURLs}</Checkbox>
				<Checkbox {...boundCheck(list, change, 'stripPort')}>{t.cutPortsURLs}</Checkbox>
				<Checkbox {...boundCheck(list, change, 'allowEmpty')}>{t.emptyListPublished}</Checkbox>
				<Checkbox {...boundCheck(list, change, 'commentIfEmpty')}>{t.emptyListHolds}</Checkbox>
			</div>
		</Disclosure>
	)
}

/** Lists as indicators for threat intelligence platforms. */
function IndicatorExport({draft, set, problem}: PartProps) {
	const {indicators} = draft
	const change = (next: Partial<IndicatorDraft>) => set({indicators: {...indicators, ...next}})
	const at = (field: string) => errorAt(problem, `program.builtin.${field}`)
	return (
		<>
			<div className={styles.triple}>
				<TextField
					label={t.titleOfServer}
					{...bound(indicators, change, 'title')}
					error={at('title')}
					description={t.clientsSeeTitle}
				/>
				<TextField label={t.rebuiltEverySeconds} {...bound(indicators, change, 'refreshS')} error={at('refreshS')} />
				<TextField label={t.objectsPerAnswer} {...bound(indicators, change, 'pageSize')} error={at('pageSize')} />
			</div>
			<Collections indicators={indicators} change={change} problem={problem} />
		</>
	)
}

interface CollectionsProps {
	indicators: IndicatorDraft
	change: (next: Partial<IndicatorDraft>) => void
	problem: PartProps['problem']
}

function Collections({indicators: {collections}, change, problem}: CollectionsProps) {
	const edit = (key: string, next: Partial<CollectionDraft>) =>
		change({collections: collections.map(one => (one.key === key ? {...one, ...next} : one))})
	// A fault of all of them together has no index.
	const at = (place: number, field: string) =>
		errorAt(problem, `program.builtin.collections.${place}.${field}`) ??
		(field === 'name' && problem?.field === 'program.builtin.collections' ? problem.message : null)
	return (
		<>
			{collections.map(({key, name, description, list}, place) => (
				<fieldset key={key}>
					<legend>{t.collectionNamed(name)}</legend>
					<div className="halves">
						<TextField
							label={t.collection}
							value={name}
							onChange={next => edit(key, {name: next})}
							mono
							error={at(place, 'name')}
							description={t.partOfTaxiiAddress}
						/>
						<TextField
							label={t.collectionAbout}
							value={description}
							onChange={next => edit(key, {description: next})}
							error={at(place, 'description')}
						/>
					</div>
					<SourceFields list={list} change={next => edit(key, {list: {...list, ...next}})} error={at(place, 'sources')} />
					{collections.length !== 1 && (
						<div>
							<Button
								small
								onPress={() => change({collections: collections.filter(one => one.key !== key)})}
								tooltip={t.collectionGoes}
							>
								{t.removeCollection}
							</Button>
						</div>
					)}
				</fieldset>
			))}
			<div>
				<Button
					small
					onPress={() => change({collections: [...collections, emptyCollection('')]})}
					reason={collections.length >= mostCollections ? t.mostCollections(mostCollections) : null}
				>
					{t.addCollection}
				</Button>
			</div>
		</>
	)
}

/** Allowed actions of a signed request. */
function WebhookIn({draft, set, problem}: PartProps) {
	const connections = useConnections() ?? []
	const {webhook} = draft
	const change = (next: Partial<WebhookDraft>) => set({webhook: {...webhook, ...next}})
	const missing = errorAt(problem, 'program.builtin.connection')
	return (
		<>
			<div className="halves">
				<Select
					label={t.connection}
					value={webhook.connection === '' ? null : webhook.connection}
					onChange={connection => change({connection})}
					options={connections.map(({id, name}) => ({value: id, label: name}))}
					placeholder={t.chooseAConnection}
					description={missing ?? t.requestsWorkOn}
				/>
				<TextArea label={t.playbooksAllowed} {...bound(webhook, change, 'playbooks')} mono rows={2} description={t.playbooksOnePer} />
			</div>
			<div className={styles.checks}>
				<Checkbox {...boundCheck(webhook, change, 'notes')}>{t.takeNotes}</Checkbox>
				<Checkbox {...boundCheck(webhook, change, 'questions')}>{t.answerWhoHas}</Checkbox>
				<Checkbox {...boundCheck(webhook, change, 'proposals')}>{t.takeProposals}</Checkbox>
			</div>
			<p className="note">{t.webhookNeedsSignature}</p>
		</>
	)
}

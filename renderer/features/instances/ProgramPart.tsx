import {useState} from 'react'

import {listFormats, listTypes, mostCollections, storedValue} from '#model/instance.ts'
import {useConnections} from '#api/hooks.tsx'
import {Button} from '#ui/Button.tsx'
import {Disclosure} from '#ui/Disclosure.tsx'
import {TextArea, TextField} from '#ui/Field.tsx'
import {formFor, type Form} from '#ui/form.ts'
import {Select, optionsOf, optionsByName} from '#ui/Select.tsx'
import {emptyCollection, type IndicatorDraft} from './builtin-draft.ts'
import {Checks, type PartProps} from './fields.tsx'
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

function Managed({field}: PartProps) {
	return (
		<>
			<TextField
				label={t.command}
				{...field('command', 'program.command')}
				isRequired
				mono
				placeholder={t.python3ServicePy}
				description={t.programArguments}
			/>
			<div className="halves">
				<TextField label={t.folder} {...field('folder', 'program.folder')} mono description={t.whereItStarts} />
				<TextArea
					label={t.environment}
					{...field('environment', 'program.environment')}
					mono
					rows={2}
					description={t.nameValueOne(storedValue)}
				/>
			</div>
		</>
	)
}

const typeWords = {sha256: 'SHA-256 hashes', ip: 'Addresses and networks', url: 'URLs', domain: 'Domains'} as const
const formatWords = {text: 'Text, one per line', json: 'JSON', csv: 'CSV'} as const
const collapseWords = {none: 'Unchanged', ranges: 'Ranges', cidrs: 'Networks (CIDR)'} as const

/** Places in the definition of a built-in service. */
const builtin = 'program.builtin.'

function ListService({within}: PartProps) {
	const list = within('list', builtin)
	const {field} = list
	return (
		<>
			<div className="halves">
				<Select label={t.values} {...field('type')} options={optionsOf(listTypes, typeWords)} />
				<Select label={t.format} {...field('format')} options={optionsOf(listFormats, formatWords)} />
			</div>
			<SourceFields {...list} />
			<ListDetails {...list} />
		</>
	)
}

function ListDetails({draft, field, check, errorAt}: Form<ListDraft>) {
	const wrong = ['size', 'refreshS', 'shrinkGuardPercent', 'never'].some(place => errorAt(place) !== null)
	const [isOpen, setOpen] = useState(false)
	return (
		<Disclosure
			title={t.howListBuilt}
			summary={t.everySShrink(draft.refreshS, draft.shrinkGuardPercent, draft.size)}
			isOpen={isOpen || wrong}
			onToggle={setOpen}
		>
			<div className={styles.triple}>
				<TextField label={t.rebuiltEverySeconds} {...field('refreshS')} />
				<TextField label={t.shrinkGuardPercent} {...field('shrinkGuardPercent')} description={t.rebuildLoses} />
				<TextField label={t.atMostValues} {...field('size')} />
			</div>
			<div className="halves">
				<Select label={t.addressesPut} {...field('collapse')} options={optionsOf(['none', 'ranges', 'cidrs'] as const, collapseWords)} />
				<TextArea label={t.neverPublished} {...field('never')} mono rows={2} description={t.addressesNetworksDomains} />
			</div>
			<Checks
				check={check}
				words={[
					['dropInvalid', t.dropValues],
					['stripProtocol', t.cutHttpsURLs],
					['stripPort', t.cutPortsURLs],
					['allowEmpty', t.emptyListPublished],
					['commentIfEmpty', t.emptyListHolds]
				]}
			/>
		</Disclosure>
	)
}

/** Lists as indicators for threat intelligence platforms. */
function IndicatorExport({within}: PartProps) {
	const indicators = within('indicators', builtin)
	const {field} = indicators
	return (
		<>
			<div className={styles.triple}>
				<TextField label={t.titleOfServer} {...field('title')} description={t.clientsSeeTitle} />
				<TextField label={t.rebuiltEverySeconds} {...field('refreshS')} />
				<TextField label={t.objectsPerAnswer} {...field('pageSize')} />
			</div>
			<Collections {...indicators} />
		</>
	)
}

function Collections({draft: {collections}, set, errorAt}: Form<IndicatorDraft>) {
	const isOfOne = collections.some((_, index) => errorAt(`collections.${index}`) !== null)
	const ofAll = isOfOne ? null : errorAt('collections')
	const forms = collections.map((one, index) =>
		formFor(
			one,
			next => set({collections: collections.with(index, {...one, ...next})}),
			place => errorAt(`collections.${index}.${place}`) ?? (place === 'name' ? ofAll : null)
		)
	)
	return (
		<>
			{forms.map(({draft: {key, name}, field, within}) => (
				<fieldset key={key}>
					<legend>{t.collectionNamed(name)}</legend>
					<div className="halves">
						<TextField label={t.collection} {...field('name')} mono description={t.partOfTaxiiAddress} />
						<TextField label={t.collectionAbout} {...field('description')} />
					</div>
					<SourceFields {...within('list')} />
					{collections.length !== 1 && (
						<div>
							<Button small onPress={() => set({collections: collections.filter(one => one.key !== key)})} tooltip={t.collectionGoes}>
								{t.removeCollection}
							</Button>
						</div>
					)}
				</fieldset>
			))}
			<div>
				<Button
					small
					onPress={() => set({collections: [...collections, emptyCollection('')]})}
					reason={collections.length >= mostCollections ? t.mostCollections(mostCollections) : null}
				>
					{t.addCollection}
				</Button>
			</div>
		</>
	)
}

/** Allowed actions of a signed request. */
function WebhookIn({within}: PartProps) {
	const connections = useConnections() ?? []
	const {draft, set, field, check, errorAt} = within('webhook', builtin)
	return (
		<>
			<div className="halves">
				<Select
					label={t.connection}
					value={draft.connection === '' ? null : draft.connection}
					onChange={connection => set({connection})}
					options={optionsByName(connections)}
					placeholder={t.chooseAConnection}
					description={errorAt('connection') ?? t.requestsWorkOn}
				/>
				<TextArea label={t.playbooksAllowed} {...field('playbooks')} mono rows={2} description={t.playbooksOnePer} />
			</div>
			<Checks
				check={check}
				words={[
					['notes', t.takeNotes],
					['questions', t.answerWhoHas],
					['proposals', t.takeProposals]
				]}
			/>
			<p className="note">{t.webhookNeedsSignature}</p>
		</>
	)
}

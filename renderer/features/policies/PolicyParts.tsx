import type {ReactNode, Ref} from 'react'

import type {PolicyDetail, PolicyRow} from '#contract/directory.ts'
import {asSentence} from '#shared/sentence.ts'
import {formatCount} from '#text/numbers.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {useActiveConnection, useComputersCount, useAskedHere} from '#api/hooks.tsx'
import {listTypeTitle, productTitle} from '#commands/directory/directory-words.ts'
import {useReadDetails} from '#commands/directory/use-directory.ts'
import {Banner} from '#ui/States.tsx'
import {Button, Link} from '#ui/Button.tsx'
import {KeyValue, fact, copiedFact} from '#ui/Facts.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {Card} from '#ui/Screen.tsx'
import {WebConsole} from '#ui/WebConsole.tsx'
import {computersOf} from './policy-facts.ts'
import styles from './policies.module.css'
import {t} from './text.ts'

/** A policy with its record and history, from local data; `null` if unknown. */
export function usePolicyDetail(guid: string) {
	return useAskedHere(q => q.directory.policies.detail, {guid})
}

/** Loads the details of one policy; an error appears beside the button. */
export function ReadPolicy({policy, buttonRef}: {policy: PolicyRow; buttonRef?: Ref<HTMLButtonElement>}) {
	const reading = useReadDetails()
	const isUnread = policy.fileLists === null
	return (
		<>
			<Button
				onPress={() => reading.mutate({policies: [policy]})}
				reason={reading.isPending ? t.loadingNow : null}
				{...omitUndefined({ref: buttonRef})}
			>
				{t.forOneCall(isUnread ? t.loadItsDetails : t.refresh)}
			</Button>
			{reading.error !== null && <span className="fact"> {asSentence(reading.error.message)}</span>}
		</>
	)
}

export function EditedElsewhere() {
	const {url} = useActiveConnection()
	return (
		<p className="fact">
			{t.apiCannotChange}{' '}
			<WebConsole server={url} without={t.editThemServices}>
				{t.editWebConsole}
			</WebConsole>
		</p>
	)
}

export function Vanished({policy}: {policy: PolicyRow}) {
	if (policy.vanishedAt === null) return null
	return (
		<Banner tone="warning">
			{t.serviceNoLonger} <Time at={policy.vanishedAt} form="exact" />
			{t.lastKnownValues}
		</Banner>
	)
}

export function Problem({policy}: {policy: PolicyRow}) {
	if (policy.problem === null) return null
	return (
		<Banner tone="warning">
			{t.couldNotLoadColon} {asSentence(policy.problem.message)}
		</Banner>
	)
}

export function AboutCard({policy}: {policy: PolicyRow}) {
	return (
		<Card title={t.about}>
			<KeyValue
				facts={[
					fact('Product', productTitle(policy.product)),
					policy.description !== '' && fact('Description', policy.description),
					fact('Serial', policy.serial === null ? '–' : String(policy.serial), 'mono'),
					fact('Default', policy.isDefault ? `yes, for ${productTitle(policy.product)}` : 'no'),
					fact('Computers', <Reporting policy={policy} />),
					copiedFact('GUID', policy.guid, t.guid),
					fact('Loaded', <Time at={policy.readAt} focusable />)
				]}
			/>
		</Card>
	)
}

function Reporting({policy}: {policy: PolicyRow}) {
	if (useComputersCount() === null) return 'not known: they have not been loaded yet'
	if (policy.computers === 0) return '0'
	return <Link href={`/computers?filter=${encodeURIComponent(computersOf(policy))}`}>{t.thatReportIt(formatCount(policy.computers))}</Link>
}

export function ListCards({policy}: {policy: PolicyRow}) {
	return (
		<>
			<NamesCard title={t.fileLists} things={policy.fileLists} none={t.usesNoFile}>
				{list => (
					<>
						<Link href={`/file-lists/${list.guid}`}>{list.name}</Link> <span className="fact">{listTypeTitle(list.type)}</span>
					</>
				)}
			</NamesCard>
			<NamesCard title={t.exclusionSets} things={policy.exclusionSets} none={t.itHasNone}>
				{set => set.name}
			</NamesCard>
			<NamesCard title={t.ipLists} things={policy.ipLists} none={t.itHasNone}>
				{list => (
					<>
						{list.name} <span className="fact">{list.type}</span>
					</>
				)}
			</NamesCard>
		</>
	)
}

interface NamesCardProps<T> {
	title: string
	/** `null` while not loaded. */
	things: readonly T[] | null
	none: string
	children: (thing: T) => ReactNode
}

function NamesCard<T extends {guid: string}>({title, things, none, children}: NamesCardProps<T>) {
	return (
		<Card title={title} aside={things === null ? '?' : formatCount(things.length)}>
			{things === null ? (
				<p className="fact">{t.notLoadedYetTitle}</p>
			) : things.length === 0 ? (
				<p className="fact">{none}</p>
			) : (
				<ul className={styles.names}>
					{things.map(thing => (
						<li key={thing.guid}>{children(thing)}</li>
					))}
				</ul>
			)}
		</Card>
	)
}

/** Observed changes of serial numbers: the service's audit log has the users. */
export function History({detail}: {detail: PolicyDetail}) {
	const {serials} = detail
	return (
		<Card title={t.serialNumbers}>
			{serials.length === 0 ? (
				<p className="fact">{t.noneYet}</p>
			) : (
				<ol className={styles.names} aria-label={t.serialNumbersNewest}>
					{serials.map(({serial, seenAt}, index) => {
						const before = serials[index + 1]
						return (
							<li key={`${serial} ${seenAt}`}>
								{before === undefined ? <Tag>{serial}</Tag> : <Tag tone="accent">{`${before.serial} → ${serial}`}</Tag>}{' '}
								<span className="fact">
									{before === undefined ? t.firstSeen : t.seenChanged} <Time at={seenAt} form="exact" />
								</span>
							</li>
						)
					})}
				</ol>
			)}
			<p className="fact">{t.serialNumber}</p>
		</Card>
	)
}

export function usePolicyXml(guid: string) {
	return useAskedHere(q => q.directory.policies.xml, {guid}, {staleTime: Infinity, retry: false})
}

import {useEffect} from 'react'

import type {CordonError} from '#contract/errors.ts'
import type {Vulnerabilities, VulnerableProgram} from '#contract/insight.ts'
import type {ComputerRow} from '#model/computer.ts'
import {counted} from '#text/numbers.ts'

import {useConnected, useAsked, useCall} from '#api/hooks.tsx'
import {Banner, EmptyState, FailureBanner, ScreenErrorState, Unloaded, Reason} from '#ui/States.tsx'
import {Button, CopyButton, Link} from '#ui/Button.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './Vulnerabilities.module.css'
import {t} from './text.ts'

/** Programs with known vulnerabilities, queried when they are first looked at: the call is deprecated and may be removed. */
export function VulnerabilitiesTab({row}: {row: ComputerRow}) {
	const {queries, cache, connection} = useConnected()
	const input = {connection, guid: row.guid}
	const stored = useAsked(q => q.vulnerabilities.stored, {input})
	const {data} = stored
	const reading = useCall(client => client.vulnerabilities.read(input), {
		onSuccess: found => cache.setQueryData(queries.vulnerabilities.stored.queryKey({input}), found)
	})
	const {error} = reading
	const read = () => reading.mutate()
	const isUnknown = data === null
	const {mutate} = reading
	// One call: nothing is asked before it.
	useEffect(() => {
		if (isUnknown) mutate()
	}, [isUnknown, mutate])
	if (isUnknown && error !== null) return <ScreenErrorState error={error} title={titleOf(error)} onRetry={read} />
	if (data === undefined || data === null) return <Unloaded of={stored} lines={6} label={t.queryingVulnerablePrograms} />
	return (
		<div className={styles.tab}>
			<p className={styles.above}>
				{t.queried(countOf(data))} <Time at={data.readAt} focusable />
				<span className="spring" />
				<Button small onPress={read} reason={reading.isPending ? t.queryInProgress : null}>
					{t.queryAgain}
				</Button>
			</p>
			{error !== null && (
				<FailureBanner error={error}>
					{titleOf(error)}: <Reason error={error} /> {t.earlierAnswer}
				</FailureBanner>
			)}
			{!data.complete && <Banner tone="warning">{t.somePagesCould}</Banner>}
			{data.programs.length === 0 ? (
				<EmptyState title={t.noVulnerableProgram}>{t.serviceReports(row.hostname)}</EmptyState>
			) : (
				<ul className={styles.programs} aria-label={t.vulnerablePrograms}>
					{data.programs.map(program => (
						<Program key={`${program.application} ${program.version} ${program.sha256 ?? ''}`} program={program} />
					))}
				</ul>
			)}
		</div>
	)
}

function titleOf({code}: CordonError) {
	if (code === 'not_found') return 'The service has no answer: it no longer knows this call, or this computer'
	if (code === 'rate_limited') return 'Waiting for the API limit'
	return 'Could not load vulnerable programs'
}

export function countOf({programs}: Vulnerabilities) {
	const cves = programs.reduce((sum, program) => sum + program.cves.length, 0)
	return `${counted(cves, ['vulnerability', 'vulnerabilities'])} in ${counted(programs.length, ['program', 'programs'])}`
}

function Program({program}: {program: VulnerableProgram}) {
	const {application, version, fileName, sha256, seenAt, cves} = program
	return (
		<li className={styles.program}>
			<p className={styles.name}>
				<b>{application}</b> {version}
				<span className="spring" />
				{seenAt !== null && (
					<span className={styles.dim}>
						{t.seen} <Time at={seenAt} focusable />
					</span>
				)}
			</p>
			<p className={styles.file}>
				{fileName ?? t.unnamedFile}
				{sha256 !== null && (
					<>
						{' '}
						<code>{sha256}</code> <CopyButton text={sha256} what={t.sha256} />
						<Link href={`/search?q=${sha256}`}>{t.findAffectedComputers}</Link>
					</>
				)}
			</p>
			<ul className={styles.cves} aria-label={t.vulnerabilitiesOf(application)}>
				{cves.map(({id, score}) => (
					<li key={id}>
						<Tag tone={toneOf(score)}>{score === null ? t.noScore : t.cvss(score.toFixed(1))}</Tag>
						<code>{id}</code>
						<CopyButton text={id} what={id} />
					</li>
				))}
			</ul>
		</li>
	)
}

/** By the bands of CVSS: from 9 critical, from 7 high. */
function toneOf(score: number | null) {
	if (score === null) return 'plain'
	if (score >= 9) return 'bad'
	return score >= 7 ? 'warn' : 'plain'
}

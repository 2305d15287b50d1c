import {useEffect, useRef} from 'react'

import {testStages, testStageTitles, type CertificateFacts, type TestResult} from '#model/connection.ts'

import {Banner, Skeleton} from '#ui/States.tsx'
import {Stages} from '#ui/Stages.tsx'
import styles from './connections.module.css'
import {t} from './text.ts'
import type {ConnectionTest} from './use-test.ts'

type Chained = NonNullable<TestResult['certificate']>

/** Each stage of *Test* with its result, from the address to the API limit. */
export function TestResults({test}: {test: ConnectionTest}) {
	const end = useRef<HTMLOListElement>(null)
	// In a long form results appear below the visible part.
	useEffect(() => {
		if (test.isRunning || test.results.length > 0) end.current?.scrollIntoView({block: 'nearest'})
	}, [test.isRunning, test.results.length])
	if (test.failure !== null)
		return (
			<Banner tone="bad">
				{t.testCouldNot} {test.failure}
			</Banner>
		)
	if (test.results.length === 0 && !test.isRunning) return null
	return (
		<Stages
			ref={end}
			label={t.resultTest}
			isBusy={test.isRunning}
			stages={testStages.map(stage => {
				const result = test.results.find(each => each.stage === stage)
				return {title: testStageTitles[stage], verdict: result?.verdict, said: <Said result={result} />}
			})}
		/>
	)
}

function Said({result}: {result: TestResult | undefined}) {
	if (result === undefined) return <Skeleton width="50%" />
	const {message, certificate, verdict} = result
	return (
		<>
			{message}
			{certificate !== undefined && <Certificate certificate={certificate} isOpen={verdict === 'failed'} />}
		</>
	)
}

/** Open by default when untrusted: the chain shows what to fix. There is no button to trust it. */
function Certificate({certificate, isOpen}: {certificate: Chained; isOpen: boolean}) {
	const {chain} = certificate
	return (
		<details className={styles.certificate} open={isOpen}>
			<summary>{t.showCertificate}</summary>
			<ol className={styles.chain} aria-label={t.chainOfCertificates}>
				{[certificate, ...chain].map(each => (
					<li key={each.fingerprint256}>
						<Facts certificate={each} />
					</li>
				))}
			</ol>
			{isOpen && <p>{t.ifIssuedYour}</p>}
			{chain.length <= 0 && certificate.subject !== certificate.issuer && <p>{t.serverDidNot(certificate.issuer)}</p>}
		</details>
	)
}

function Facts({certificate}: {certificate: CertificateFacts}) {
	return (
		<dl>
			<dt>{t.issuedTo}</dt>
			<dd>{certificate.subject}</dd>
			<dt>{t.issuedBy}</dt>
			<dd>{certificate.issuer}</dd>
			<dt>{t.valid}</dt>
			<dd>{t.toOf(certificate.validFrom, certificate.validTo)}</dd>
			<dt>{t.sha256}</dt>
			<dd className={styles.mono}>{certificate.fingerprint256}</dd>
		</dl>
	)
}

import {useState} from 'react'

import type {CertificateStatus, ForwarderStatus} from '#contract/instances.ts'
import {asSentence} from '#shared/sentence.ts'
import {useApi, useAsked} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Banner, SkeletonLines} from '#ui/States.tsx'
import {Button, CopyButton, FileButton} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {TextArea} from '#ui/Field.tsx'
import {type Fact, KeyValue, fact} from '#ui/Facts.tsx'
import {saveBlob} from '#ui/save.ts'
import {Time} from '#ui/Time.tsx'
import {Tabs} from '#ui/Screen.tsx'
import styles from './CertificateDialog.module.css'
import {t} from './text.ts'
import {useGuard} from './use-guard.ts'

/** The forwarding server's certificate for clients, and how to trust it. */
export function CertificateDialog({server, onClose}: {server: ForwarderStatus; onClose: () => void}) {
	const [tab, setTab] = useState('certificate')
	return (
		<Dialog title={t.certificateForwarding} size="large" onClose={onClose} act={[t.close, onClose]}>
			<Tabs
				label={t.certificate}
				selected={tab}
				onSelect={setTab}
				tabs={[
					{id: 'certificate', title: 'In use', content: <InUse certificate={server.certificate} />},
					{id: 'trust', title: 'Let clients trust it', content: <Trust certificate={server.certificate} />},
					{id: 'import', title: 'Use your own', content: <ImportPart />}
				]}
			/>
		</Dialog>
	)
}

function InUse({certificate}: {certificate: CertificateStatus | null}) {
	const {queries} = useApi()
	const guard = useGuard()
	const reason = guard.isPending ? 'Saving…' : null
	return (
		<div className={styles.part}>
			{certificate === null ? (
				<p>{t.noCertificate}</p>
			) : (
				<>
					{certificate.problem !== null && <Banner tone="warning">{asSentence(certificate.problem)}</Banner>}
					<KeyValue facts={factsOf(certificate)} />
				</>
			)}
			<div className="cluster">
				{certificate?.kind === 'imported' ? (
					<Button onPress={() => guard.run(() => queries.instances.certificate.useLocal.call())} reason={reason}>
						{t.doUseLocalCertificate}
					</Button>
				) : (
					<Button onPress={() => guard.run(instances => instances.certificate.renew())} reason={reason} tooltip={t.issuesNewCertificate}>
						{t.renewNow}
					</Button>
				)}
			</div>
			<Failure error={guard.error} />
		</div>
	)
}

function factsOf(certificate: CertificateStatus): readonly Fact[] {
	const {authority} = certificate
	return [
		fact('Issued by', authority === null ? 'imported' : `the local authority, ${authority.subject}`),
		fact('Subject', certificate.subject),
		fact('Names', certificate.names.join(', '), 'mono'),
		fact(
			'Valid',
			<>
				<Time at={certificate.notBefore} form="exact" /> {t.to} <Time at={certificate.notAfter} form="exact" />
			</>
		),
		fact('SHA-256', <Fingerprint text={certificate.fingerprint} of="certificate" />, 'mono'),
		authority && fact('Authority', <Fingerprint text={authority.fingerprint} of="authority" />, 'mono'),
		authority && fact('Authority ends', <Time at={authority.notAfter} form="exact" />)
	]
}

function Fingerprint({text, of}: {text: string; of: string}) {
	return (
		<span className={styles.fingerprint}>
			<span>{text}</span>
			<CopyButton text={text} what={t.fingerprintOfThe(of)} />
		</span>
	)
}

/** The local authority as a file, and where to import it by product. */
function Trust({certificate}: {certificate: CertificateStatus | null}) {
	const guard = useGuard()
	const {data, error} = useAsked(q => q.instances.certificate.exportAuthority, {input: {format: 'pem'}})
	const save = (format: 'pem' | 'der') =>
		guard.run(
			instances => instances.certificate.exportAuthority({format}),
			({name, mediaType, content}) => {
				const data = format === 'pem' ? content : Uint8Array.from(atob(content), char => char.charCodeAt(0))
				saveBlob(new Blob([data], {type: mediaType}), name)
			}
		)
	const reason = guard.isPending ? 'Saving…' : null
	return (
		<div className={styles.part}>
			{certificate?.kind === 'imported' && <Banner>{t.certificateUse}</Banner>}
			<p>{t.clientsTrust}</p>
			<div className="cluster">
				<Button tone="primary" onPress={() => save('pem')} reason={reason}>
					{t.saveAsPem}
				</Button>
				<Button onPress={() => save('der')} reason={reason}>
					{t.saveAsDer}
				</Button>
				{data !== undefined && (
					<span className={styles.copy}>
						{t.pem} <CopyButton text={data.content} what={t.caCertificate} />
					</span>
				)}
			</div>
			<Failure error={guard.error} />
			<Failure error={error} />
			{data === undefined && error === null && <SkeletonLines lines={6} label={t.loadingTheHints} />}
			<dl className={styles.hints}>
				{(data?.hints ?? []).map(({product, steps}) => (
					<div key={product}>
						<dt>{product}</dt>
						<dd>{steps}</dd>
					</div>
				))}
			</dl>
		</div>
	)
}

/** A certificate of an already trusted authority. The key is entered here and never shown. */
function ImportPart() {
	const guard = useGuard()
	const announce = useAnnounce()
	const [certificate, setCertificate] = useState('')
	const [key, setKey] = useState('')
	const [isDone, setDone] = useState(false)
	const field = guard.error?.details.field
	const use = () =>
		guard.run(
			instances => instances.certificate.import({certificate, key}),
			() => {
				setCertificate('')
				setKey('')
				setDone(true)
				announce('The imported certificate is in use')
			}
		)
	const missing = certificate.trim() === '' || key.trim() === '' ? 'Give the certificate and its key.' : null
	return (
		<div className={styles.part}>
			<p>{t.pemServers}</p>
			<PemField
				label={t.certificate}
				value={certificate}
				onChange={setCertificate}
				error={field === 'certificate' ? (guard.error?.message ?? null) : null}
				placeholder={t.beginCertificate}
			/>
			<PemField
				label={t.privateKey}
				value={key}
				onChange={setKey}
				error={field === 'key' ? (guard.error?.message ?? null) : null}
				placeholder={t.beginPrivateKey}
			/>
			<Failure error={field === 'certificate' || field === 'key' ? null : guard.error} />
			{isDone && missing !== null && <Banner>{t.importedCertificate}</Banner>}
			<div className="cluster">
				<Button tone="primary" onPress={use} reason={guard.isPending ? t.checking : missing}>
					{t.takeCertificate}
				</Button>
			</div>
		</div>
	)
}

interface PemFieldProps {
	label: string
	value: string
	onChange: (value: string) => void
	error: string | null
	placeholder: string
}

function PemField({label, value, onChange, error, placeholder}: PemFieldProps) {
	return (
		<div className={styles.pem}>
			<TextArea label={label} value={value} onChange={onChange} mono rows={4} error={error} placeholder={placeholder} autoComplete="off" />
			<FileButton
				small
				label={t.fromAFile(label)}
				aria-label={t.fromAFile(label)}
				value={value}
				onFile={async file => onChange(await file.text())}
			>
				{t.fromAFileMore}
			</FileButton>
		</div>
	)
}

import {useState, type ReactNode} from 'react'

import {Disclosure} from '#ui/Disclosure.tsx'
import {TextArea, TextField} from '#ui/Field.tsx'
import {linesOf} from '#ui/form.ts'
import {Checks, NumberInputs, type PartProps} from './fields.tsx'
import styles from './form.module.css'
import {t} from './text.ts'

interface FoldedProps extends Pick<PartProps, 'errorAt'> {
	title: string
	summary: string
	/** Fields inside: a fault in one opens the part. */
	fields: readonly string[]
	children: ReactNode
}

function Folded({title, summary, fields, errorAt, children}: FoldedProps) {
	const [isOpen, setOpen] = useState(false)
	const wrong = fields.some(field => errorAt(field) !== null)
	return (
		<Disclosure title={title} summary={summary} isOpen={isOpen || wrong} onToggle={setOpen}>
			{children}
		</Disclosure>
	)
}

export function CallersPart(props: PartProps) {
	const {draft, field} = props
	const networks = linesOf(draft.allow).length
	const summary = `${networks === 0 ? 'every address' : networks === 1 ? '1 network' : `${networks} networks`} · ${draft.methods.trim() === '' ? 'every method' : draft.methods}`
	return (
		<Folded title={t.addressesAndMethods} summary={summary} fields={['allow', 'origins', 'methods']} errorAt={props.errorAt}>
			<div className="halves">
				<TextArea
					label={t.addressesUse}
					{...field('allow')}
					mono
					rows={3}
					placeholder={'10.0.0.0/8\n192.0.2.7'}
					description={t.addressesNetworks}
				/>
				<TextArea label={t.otherSites} {...field('origins')} mono rows={3} placeholder={t.httpsPortalExample} description={t.originsOne} />
			</div>
			<TextField label={t.methods} {...field('methods')} mono placeholder={t.getHead} description={t.emptyEvery} />
		</Folded>
	)
}

export function LimitsPart(props: PartProps) {
	const {numbers} = props.draft
	const rate = numbers['limits.ratePerSecond'] === '0' ? 'no rate limit' : `${numbers['limits.ratePerSecond']} requests/s`
	const once = numbers['limits.concurrency'] === '0' ? 'any number at once' : `${numbers['limits.concurrency']} at once`
	return (
		<Folded title={t.limits} summary={`${rate} · ${once}`} fields={['limits']} errorAt={props.errorAt}>
			<div className={styles.triple}>
				<NumberInputs
					{...props}
					lines={[
						['limits.ratePerSecond', t.requestsPerSecond, t.oneAddress],
						['limits.burst', t.burst, t.letThrough],
						['limits.body', t.bodyBytes, t.n0NoLimit],
						['limits.concurrency', t.instanceOnce, t.n0NoLimit],
						['limits.queue', t.queue, t.thoseAbove],
						['limits.head', t.headBytes, t.n1024To65536]
					]}
				/>
			</div>
		</Folded>
	)
}

export function TimesPart(props: PartProps) {
	const {numbers} = props.draft
	const first = numbers['timeouts.firstByteS'] === '0' ? 'no limit' : `${numbers['timeouts.firstByteS']} s`
	return (
		<Folded title={t.timeouts} summary={t.firstByte(first)} fields={['timeouts']} errorAt={props.errorAt}>
			<div className={styles.triple}>
				<NumberInputs
					{...props}
					lines={[
						['timeouts.connectS', t.connectSeconds],
						['timeouts.firstByteS', t.firstByteSeconds, t.largeLists],
						['timeouts.idleS', t.silenceSeconds, t.bodyWebSocket],
						['timeouts.minRate', t.leastRateBytes, t.requestsBody]
					]}
				/>
			</div>
		</Folded>
	)
}

export function OptionsPart(props: PartProps) {
	const {draft, field} = props
	const fields = ['trailers', 'hostHeader', 'serveStaleS', 'certificate']
	const stale = draft.numbers.serveStaleS === '0' ? '' : ' · serves the last good answer'
	const summary = `${draft.switches.websocket ? 'WebSocket' : 'no WebSocket'}${draft.switches.singleFlight ? ' · single flight' : ''}${stale}`
	return (
		<Folded title={t.options} summary={summary} fields={fields} errorAt={props.errorAt}>
			<Checks
				{...props.within('switches')}
				words={[
					['singleFlight', t.singleFlight],
					['websocket', t.webSocket],
					['webInterface', t.webInterface],
					['rewriteLocation', t.rewriteLocation],
					['scopeCookies', t.keepCookies],
					['stripAuthorization', t.authorizationEnds],
					['forwarded', t.sendForwarded]
				]}
			/>
			<div className={styles.triple}>
				<NumberInputs {...props} lines={[['serveStaleS', t.lastGoodAnswer, t.servedWhen]]} />
				<TextField label={t.host} {...field('hostHeader')} mono description={t.preserveLoopback} />
				<TextField label={t.trailersThatPass} {...field('trailers')} mono description={t.namesEmptyNone} />
			</div>
			<TextArea
				label={t.certificateDirect}
				{...field('certificate')}
				mono
				rows={2}
				placeholder={t.beginCertificate}
				description={t.onlyInstance}
			/>
		</Folded>
	)
}

export function HealthPart(props: PartProps) {
	const {draft, field} = props
	const every = draft.numbers['healthCheck.intervalS']
	return (
		<Folded
			title={t.healthCheck}
			summary={every === '0' ? t.thePortAlone : t.everyS(draft.healthPath, every)}
			fields={['healthCheck']}
			errorAt={props.errorAt}
		>
			<div className={styles.triple}>
				<TextField label={t.path} {...field('healthPath', 'healthCheck.path')} mono />
				<NumberInputs {...props} lines={[['healthCheck.intervalS', t.everySeconds, t.n0PortLooked]]} />
				<TextField
					label={t.expectedStatus}
					{...field('healthExpect', 'healthCheck.expect')}
					placeholder="200 204"
					description={t.emptyAnyBelow}
				/>
			</div>
		</Folded>
	)
}

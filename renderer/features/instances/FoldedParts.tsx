import {useState, type ReactNode} from 'react'

import {bound} from '#ui/bound.ts'
import {Disclosure} from '#ui/Disclosure.tsx'
import {TextArea, TextField} from '#ui/Field.tsx'
import {linesOf, type Problem} from './read-draft.ts'
import {errorAt, NumberInput, Option, type PartProps} from './fields.tsx'
import styles from './form.module.css'
import {t} from './text.ts'

interface FoldedProps {
	title: string
	summary: string
	/** Fields inside: a fault in one opens the part. */
	fields: readonly string[]
	problem: Problem | null
	children: ReactNode
}

function Folded({title, summary, fields, problem, children}: FoldedProps) {
	const [isOpen, setOpen] = useState(false)
	const wrong = fields.some(field => errorAt(problem, field) !== null)
	return (
		<Disclosure title={title} summary={summary} isOpen={isOpen || wrong} onToggle={setOpen}>
			{children}
		</Disclosure>
	)
}

export function CallersPart(props: PartProps) {
	const {draft, set, problem} = props
	const networks = linesOf(draft.allow).length
	const summary = `${networks === 0 ? 'every address' : networks === 1 ? '1 network' : `${networks} networks`} · ${draft.methods.trim() === '' ? 'every method' : draft.methods}`
	return (
		<Folded title={t.addressesAndMethods} summary={summary} fields={['allow', 'origins', 'methods']} problem={problem}>
			<div className="halves">
				<TextArea
					label={t.addressesUse}
					{...bound(draft, set, 'allow')}
					mono
					rows={3}
					error={errorAt(problem, 'allow')}
					placeholder={'10.0.0.0/8\n192.0.2.7'}
					description={t.addressesNetworks}
				/>
				<TextArea
					label={t.otherSites}
					{...bound(draft, set, 'origins')}
					mono
					rows={3}
					error={errorAt(problem, 'origins')}
					placeholder={t.httpsPortalExample}
					description={t.originsOne}
				/>
			</div>
			<TextField
				label={t.methods}
				{...bound(draft, set, 'methods')}
				mono
				error={errorAt(problem, 'methods')}
				placeholder={t.getHead}
				description={t.emptyEvery}
			/>
		</Folded>
	)
}

export function LimitsPart(props: PartProps) {
	const {numbers} = props.draft
	const rate = numbers['limits.ratePerSecond'] === '0' ? 'no rate limit' : `${numbers['limits.ratePerSecond']} requests/s`
	const once = numbers['limits.concurrency'] === '0' ? 'any number at once' : `${numbers['limits.concurrency']} at once`
	return (
		<Folded title={t.limits} summary={`${rate} · ${once}`} fields={['limits']} problem={props.problem}>
			<div className={styles.triple}>
				<NumberInput {...props} field="limits.ratePerSecond" label={t.requestsPerSecond} description={t.oneAddress} />
				<NumberInput {...props} field="limits.burst" label={t.burst} description={t.letThrough} />
				<NumberInput {...props} field="limits.body" label={t.bodyBytes} description={t.n0NoLimit} />
				<NumberInput {...props} field="limits.concurrency" label={t.instanceOnce} description={t.n0NoLimit} />
				<NumberInput {...props} field="limits.queue" label={t.queue} description={t.thoseAbove} />
				<NumberInput {...props} field="limits.head" label={t.headBytes} description={t.n1024To65536} />
			</div>
		</Folded>
	)
}

export function TimesPart(props: PartProps) {
	const {numbers} = props.draft
	const first = numbers['timeouts.firstByteS'] === '0' ? 'no limit' : `${numbers['timeouts.firstByteS']} s`
	return (
		<Folded title={t.timeouts} summary={t.firstByte(first)} fields={['timeouts']} problem={props.problem}>
			<div className={styles.triple}>
				<NumberInput {...props} field="timeouts.connectS" label={t.connectSeconds} />
				<NumberInput {...props} field="timeouts.firstByteS" label={t.firstByteSeconds} description={t.largeLists} />
				<NumberInput {...props} field="timeouts.idleS" label={t.silenceSeconds} description={t.bodyWebSocket} />
				<NumberInput {...props} field="timeouts.minRate" label={t.leastRateBytes} description={t.requestsBody} />
			</div>
		</Folded>
	)
}

export function OptionsPart(props: PartProps) {
	const {draft, set, problem} = props
	const fields = ['trailers', 'hostHeader', 'serveStaleS', 'certificate']
	const stale = draft.numbers.serveStaleS === '0' ? '' : ' · serves the last good answer'
	const summary = `${draft.switches.websocket ? 'WebSocket' : 'no WebSocket'}${draft.switches.singleFlight ? ' · single flight' : ''}${stale}`
	return (
		<Folded title={t.options} summary={summary} fields={fields} problem={problem}>
			<div className={styles.checks}>
				<Option {...props} field="singleFlight">
					{t.singleFlight}
				</Option>
				<Option {...props} field="websocket">
					{t.webSocket}
				</Option>
				<Option {...props} field="webInterface">
					{t.webInterface}
				</Option>
				<Option {...props} field="rewriteLocation">
					{t.rewriteLocation}
				</Option>
				<Option {...props} field="scopeCookies">
					{t.keepCookies}
				</Option>
				<Option {...props} field="stripAuthorization">
					{t.authorizationEnds}
				</Option>
				<Option {...props} field="forwarded">
					{t.sendForwarded}
				</Option>
			</div>
			<div className={styles.triple}>
				<NumberInput {...props} field="serveStaleS" label={t.lastGoodAnswer} description={t.servedWhen} />
				<TextField
					label={t.host}
					{...bound(draft, set, 'hostHeader')}
					mono
					error={errorAt(problem, 'hostHeader')}
					description={t.preserveLoopback}
				/>
				<TextField
					label={t.trailersThatPass}
					{...bound(draft, set, 'trailers')}
					mono
					error={errorAt(problem, 'trailers')}
					description={t.namesEmptyNone}
				/>
			</div>
			<TextArea
				label={t.certificateDirect}
				{...bound(draft, set, 'certificate')}
				mono
				rows={2}
				error={errorAt(problem, 'certificate')}
				placeholder={t.beginCertificate}
				description={t.onlyInstance}
			/>
		</Folded>
	)
}

export function HealthPart(props: PartProps) {
	const {draft, set, problem} = props
	const every = draft.numbers['healthCheck.intervalS']
	return (
		<Folded
			title={t.healthCheck}
			summary={every === '0' ? t.thePortAlone : t.everyS(draft.healthPath, every)}
			fields={['healthCheck']}
			problem={problem}
		>
			<div className={styles.triple}>
				<TextField label={t.path} {...bound(draft, set, 'healthPath')} mono error={errorAt(problem, 'healthCheck.path')} />
				<NumberInput {...props} field="healthCheck.intervalS" label={t.everySeconds} description={t.n0PortLooked} />
				<TextField
					label={t.expectedStatus}
					{...bound(draft, set, 'healthExpect')}
					error={errorAt(problem, 'healthCheck.expect')}
					placeholder="200 204"
					description={t.emptyAnyBelow}
				/>
			</div>
		</Folded>
	)
}

import type {Instance, Program} from '#model/instance.ts'
import {formatBytes} from '#text/numbers.ts'

import {KeyValue, type Fact} from '#ui/Facts.tsx'
import {Card} from '#ui/Screen.tsx'
import {joinWords} from './command-words.ts'
import styles from './tabs.module.css'
import {t} from './text.ts'
import {accessWords, kindWords} from './words.ts'

/** All settings in words; a button opens the form. */
export function SettingsTab({instance}: {instance: Instance}) {
	return (
		<div className={styles.tab}>
			<div className={styles.cards}>
				<Card title={t.whatItIs}>
					<KeyValue
						facts={[{name: 'Kind', value: kindWords(instance.program)}, ...programFacts(instance.program), ...portFacts(instance)]}
					/>
				</Card>
				<Card title={t.whoCall}>
					<KeyValue facts={accessFacts(instance)} />
				</Card>
				<Card title={t.limitsAndTimes}>
					<KeyValue facts={limitFacts(instance)} />
				</Card>
				<Card title={t.forwarding}>
					<KeyValue facts={optionFacts(instance)} />
				</Card>
			</div>
		</div>
	)
}

function programFacts(program: Program): readonly Fact[] {
	if (program.kind === 'external') return []
	if (program.kind === 'managed') {
		return [
			{name: 'Command', value: joinWords(program.command), mono: true},
			{name: 'Folder', value: program.folder ?? 'that of the profile'},
			{name: 'Environment', value: Object.keys(program.environment).join(', ') || 'PORT and HOST alone'},
		]
	}
	return builtinFacts(program.builtin)
}

const yesNo = (value: boolean) => (value ? 'yes' : 'no')

function builtinFacts(builtin: Extract<Program, {kind: 'builtin'}>['builtin']): readonly Fact[] {
	if (builtin.service === 'indicators')
		return [
			{name: 'Title', value: builtin.title},
			{name: 'Collections', value: builtin.collections.map(({name}) => name).join(', '), mono: true},
			{name: 'Rebuilt', value: `every ${seconds(builtin.refreshS)}`},
		]
	if (builtin.service === 'webhook')
		return [
			{name: 'Notes', value: yesNo(builtin.notes)},
			{name: '"Who has this hash?"', value: yesNo(builtin.questions)},
			{name: 'Proposed isolations', value: yesNo(builtin.proposals)},
			{name: 'Playbooks', value: builtin.playbooks.join(', ') || 'none'},
		]
	return [
		{name: 'Values', value: builtin.type},
		{name: 'Format', value: builtin.format},
		{name: 'Sources', value: builtin.sources.map(source => source.kind.replace('_', ' ')).join(', ')},
		{name: 'Rebuilt', value: `every ${seconds(builtin.refreshS)}`},
		{name: 'Shrink guard', value: `${builtin.shrinkGuardPercent}%`},
	]
}

function portFacts(instance: Instance): readonly Fact[] {
	return [
		{name: 'Listens on', value: `${instance.host}:${instance.listenPort}`, mono: true},
		{name: 'Certificate', value: instance.certificate === '' ? 'none, plain HTTP' : 'set, for direct access'},
		...(instance.aliases.length === 0 ? [] : [{name: 'Older names', value: instance.aliases.join(', ')}]),
	]
}

function accessFacts({access, secrets, allow, origins, methods}: Instance): readonly Fact[] {
	return [
		{name: 'Access', value: accessWords[access.kind]},
		...(access.kind === 'basic' ? [{name: 'Users', value: secrets.users.join(', ') || 'none stored'}] : []),
		...(access.kind === 'bearer' ? [{name: 'Tokens', value: `${secrets.tokens} stored, in ${access.header}`}] : []),
		...(access.kind === 'hmac'
			? [{name: 'Signature', value: `${access.preset}, key ${secrets.signingKey ? 'stored' : 'missing'}`}]
			: []),
		{name: 'Networks', value: allow.join(', ') || 'all'},
		{name: 'Other sites', value: origins.join(', ') || 'none'},
		{name: 'Methods', value: methods?.join(', ') ?? 'all but CONNECT and TRACE'},
	]
}

function limitFacts({limits, timeouts}: Instance): readonly Fact[] {
	return [
		{name: 'Body', value: limits.body === 0 ? 'no limit' : formatBytes(limits.body)},
		{name: 'Head', value: formatBytes(limits.head)},
		{name: 'Rate', value: limits.ratePerSecond === 0 ? 'no limit' : `${limits.ratePerSecond} requests/s, burst ${limits.burst}`},
		{name: 'At once', value: limits.concurrency === 0 ? 'no limit' : `${limits.concurrency}, queue of ${limits.queue}`},
		{name: 'Connect', value: seconds(timeouts.connectS)},
		{name: 'First byte', value: seconds(timeouts.firstByteS)},
		{name: 'Silence', value: seconds(timeouts.idleS)},
		{name: 'Least rate', value: timeouts.minRate === 0 ? 'none' : `${formatBytes(timeouts.minRate)}/s`},
	]
}

function optionFacts(instance: Instance): readonly Fact[] {
	const {healthCheck} = instance
	return [
		{name: 'WebSocket', value: yes(instance.websocket)},
		{name: 'Last answer', value: instance.serveStaleS === 0 ? 'not kept' : `served for ${seconds(instance.serveStaleS)}`},
		{name: 'Single flight', value: yes(instance.singleFlight)},
		{name: 'Web interface', value: yes(instance.webInterface)},
		{name: 'Host', value: instance.hostHeader},
		{name: 'Authorization', value: instance.stripAuthorization ? 'ends here' : 'goes on'},
		{
			name: 'Rewrites',
			value:
				[instance.rewriteLocation && 'Location', instance.scopeCookies && 'cookie paths'].filter(Boolean).join(', ') || 'nothing',
		},
		{name: 'Trailers', value: instance.trailers.join(', ') || 'dropped'},
		{
			name: 'Health check',
			value: healthCheck.intervalS === 0 ? 'port alone' : `${healthCheck.path} every ${seconds(healthCheck.intervalS)}`,
		},
	]
}

function yes(value: boolean): string {
	return value ? 'yes' : 'no'
}

function seconds(value: number) {
	if (value === 0) return 'no limit'
	return value >= 120 && value % 60 === 0 ? `${value / 60} min` : `${value} s`
}

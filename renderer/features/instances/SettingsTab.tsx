import type {Instance, Program} from '#model/instance.ts'
import {formatBytes} from '#text/numbers.ts'

import {KeyValue, type Fact, fact} from '#ui/Facts.tsx'
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
					<KeyValue facts={[fact('Kind', kindWords(instance.program)), ...programFacts(instance.program), ...portFacts(instance)]} />
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
			fact('Command', joinWords(program.command), 'mono'),
			fact('Folder', program.folder ?? 'that of the profile'),
			fact('Environment', Object.keys(program.environment).join(', ') || 'PORT and HOST alone')
		]
	}
	return builtinFacts(program.builtin)
}

function builtinFacts(builtin: Extract<Program, {kind: 'builtin'}>['builtin']): readonly Fact[] {
	if (builtin.service === 'indicators')
		return [
			fact('Title', builtin.title),
			fact('Collections', builtin.collections.map(({name}) => name).join(', '), 'mono'),
			fact('Rebuilt', `every ${seconds(builtin.refreshS)}`)
		]
	if (builtin.service === 'webhook')
		return [
			fact('Notes', yes(builtin.notes)),
			fact('"Who has this hash?"', yes(builtin.questions)),
			fact('Proposed isolations', yes(builtin.proposals)),
			fact('Playbooks', builtin.playbooks.join(', ') || 'none')
		]
	return [
		fact('Values', builtin.type),
		fact('Format', builtin.format),
		fact('Sources', builtin.sources.map(source => source.kind.replace('_', ' ')).join(', ')),
		fact('Rebuilt', `every ${seconds(builtin.refreshS)}`),
		fact('Shrink guard', `${builtin.shrinkGuardPercent}%`)
	]
}

function portFacts(instance: Instance): readonly Fact[] {
	return [
		fact('Listens on', `${instance.host}:${instance.listenPort}`, 'mono'),
		fact('Certificate', instance.certificate === '' ? 'none, plain HTTP' : 'set, for direct access'),
		instance.aliases.length !== 0 && fact('Older names', instance.aliases.join(', '))
	]
}

function accessFacts({access, secrets, allow, origins, methods}: Instance): readonly Fact[] {
	return [
		fact('Access', accessWords[access.kind]),
		access.kind === 'basic' && fact('Users', secrets.users.join(', ') || 'none stored'),
		access.kind === 'bearer' && fact('Tokens', `${secrets.tokens} stored, in ${access.header}`),
		access.kind === 'hmac' && fact('Signature', `${access.preset}, key ${secrets.signingKey ? 'stored' : 'missing'}`),
		fact('Networks', allow.join(', ') || 'all'),
		fact('Other sites', origins.join(', ') || 'none'),
		fact('Methods', methods?.join(', ') ?? 'all but CONNECT and TRACE')
	]
}

function limitFacts({limits, timeouts}: Instance): readonly Fact[] {
	return [
		fact('Body', limits.body === 0 ? 'no limit' : formatBytes(limits.body)),
		fact('Head', formatBytes(limits.head)),
		fact('Rate', limits.ratePerSecond === 0 ? 'no limit' : `${limits.ratePerSecond} requests/s, burst ${limits.burst}`),
		fact('At once', limits.concurrency === 0 ? 'no limit' : `${limits.concurrency}, queue of ${limits.queue}`),
		fact('Connect', seconds(timeouts.connectS)),
		fact('First byte', seconds(timeouts.firstByteS)),
		fact('Silence', seconds(timeouts.idleS)),
		fact('Least rate', timeouts.minRate === 0 ? 'none' : `${formatBytes(timeouts.minRate)}/s`)
	]
}

function optionFacts(instance: Instance): readonly Fact[] {
	const {healthCheck} = instance
	return [
		fact('WebSocket', yes(instance.websocket)),
		fact('Last answer', instance.serveStaleS === 0 ? 'not kept' : `served for ${seconds(instance.serveStaleS)}`),
		fact('Single flight', yes(instance.singleFlight)),
		fact('Web interface', yes(instance.webInterface)),
		fact('Host', instance.hostHeader),
		fact('Authorization', instance.stripAuthorization ? 'ends here' : 'goes on'),
		fact('Rewrites', [instance.rewriteLocation && 'Location', instance.scopeCookies && 'cookie paths'].filter(Boolean).join(', ') || 'nothing'),
		fact('Trailers', instance.trailers.join(', ') || 'dropped'),
		fact('Health check', healthCheck.intervalS === 0 ? 'port alone' : `${healthCheck.path} every ${seconds(healthCheck.intervalS)}`)
	]
}

function yes(value: boolean) {
	return value ? 'yes' : 'no'
}

function seconds(value: number) {
	if (value === 0) return 'no limit'
	return value >= 120 && value % 60 === 0 ? `${value / 60} min` : `${value} s`
}

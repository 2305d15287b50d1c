import type {WhatIf} from '#contract/guards.ts'
import type {Connection} from '#model/connection.ts'
import type {ComputerRole, GuardJudgement, GuardRules, GuardTarget} from '#model/guard.ts'

import {judgeChange} from './judge.ts'

interface Example {
	what: string
	targets: readonly GuardTarget[]
	isolations?: number
}

export function whatIf(rules: GuardRules, {environment}: Pick<Connection, 'environment'>, now: number): readonly WhatIf[] {
	return examples(rules).map(({what, targets, isolations = 0}) => {
		const judgement = judgeChange({
			rules,
			action: 'isolate',
			targets,
			production: environment === 'production',
			readOnly: null,
			isolations,
			reviewed: false,
			now
		})
		return {what, answer: answerOf(judgement), tier: judgement.tier, refused: judgement.refused !== null}
	})
}

function examples(rules: GuardRules): readonly Example[] {
	const {isolations, hours} = rules.rolling
	return [
		{what: '1 workstation', targets: computers(1)},
		{what: `1 more after ${isolations} in ${hours} hours`, targets: computers(1), isolations},
		{what: '10 workstations', targets: computers(10)},
		{what: '100 workstations', targets: computers(100)},
		{what: '10 computers, 2 of them servers', targets: [...computers(8), ...computers(2, 'server')]},
		{what: '1 computer that looks like a server', targets: computers(1, undefined, 'server')},
		{what: '1 with the role Domain controller', targets: computers(1, 'domain_controller')}
	]
}

function computers(count: number, role?: ComputerRole, guess?: ComputerRole): readonly GuardTarget[] {
	return Array.from({length: count}, (_each, index) => ({
		id: `example-${role ?? guess ?? 'workstation'}-${index}`,
		label: 'HOST NAME',
		roles: role === undefined ? [] : [role],
		guessedRoles: guess === undefined ? [] : [guess],
		groups: []
	}))
}

function answerOf({refused, confirmation, protected: kept, review}: GuardJudgement) {
	if (refused !== null) return refused.code === 'protected' ? 'Refused: protected.' : `Refused: ${refused.message}`
	const apart = [
		...(kept.length > 0 ? [`${kept.length} protected, skipped`] : []),
		...(review.length > 0 ? [`${review.length} servers need a confirmation of their own`] : [])
	]
	const rest = apart.length === 0 ? '' : ` ${apart.join('; ')}.`
	switch (confirmation.kind) {
		case 'name':
			return `Reason, and the host name is typed.${rest}`
		case 'count':
			return `Reason, and the number ${confirmation.expected} is typed.${rest}`
		case 'reason':
			return `Reason${confirmation.hold ? ', and the button is held for a second' : ''}.${rest}`
		default:
			return `A button that names the effect.${rest}`
	}
}

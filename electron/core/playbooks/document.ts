/** A CACAO 2.0 document as used by this folder, after the schema check. */
import type {PlaybookDocument} from '#model/playbook-document.ts'

export {
	approvalOf,
	pointersOf,
	stepOf,
	type PlaybookCommand,
	type PlaybookDocument,
	type StepApproval,
	type Variable,
	type Variables,
	type WorkflowStep
} from '#model/playbook-document.ts'

/** `undefined`: not one whole URL. */
export function urlOf({target_definitions: targets = {}}: PlaybookDocument, id: string): string | undefined {
	const url = Object.hasOwn(targets, id) ? targets[id]?.address?.['url']?.[0] : undefined
	return typeof url === 'string' ? url.replace(/\/$/, '') : undefined
}

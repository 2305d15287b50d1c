import type { ForwarderStatus, InstanceRow } from '#shared/contract/instances.ts';
import type { ListService } from '#shared/model/instance.ts';

/** What all recipes of an instance share. */
export interface RecipeFacts {
	readonly row: InstanceRow;
	readonly server: ForwarderStatus;
	/** `https://host[:port]/instance/execute/<name>`, without a slash at its end. */
	readonly url: string;
	/** Why the route cannot be used now, in a sentence, or `null`. */
	readonly problem: string | null;
	/** `null` for instances that are no lists. */
	readonly list: ListService | null;
}

/** The file name under which the authority's certificate is exported and then named in commands. */
export const authorityFile = 'cordon-ca.pem';

/** What there is to say, or `null`. */
export function sentences(...parts: readonly (string | null)[]): string | null {
	return parts.filter((part) => part !== null).join(' ') || null;
}

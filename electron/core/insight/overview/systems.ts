import type { InventorySums } from '#core/replicas/computers/aggregates.ts';

type Build = InventorySums['builds'][number];

/** Families of operating systems, as few as tell something in a picture. */
export const families = ['Windows', 'Windows Server', 'macOS', 'Linux', 'other'] as const;
export type Family = (typeof families)[number];

export function familyOf(os: string): Family {
	if (/windows/i.test(os)) return /server/i.test(os) ? 'Windows Server' : 'Windows';
	if (/mac ?os|os ?x|darwin/i.test(os)) return 'macOS';
	if (/linux|ubuntu|debian|cent ?os|red ?hat|rhel|fedora|suse|rocky|alma|amazon|oracle/i.test(os)) return 'Linux';
	return 'other';
}

export interface FamilyBuild {
	readonly connector: string;
	readonly family: Family;
	readonly computers: number;
	/** The systems behind the family. */
	readonly systems: readonly string[];
}

/** Sums by connector version and family, newest version first. */
export function byFamily(builds: readonly Build[]): readonly FamilyBuild[] {
	const groups = Map.groupBy(builds, ({ connector, os }) => `${connector}\n${familyOf(os)}`);
	return [...groups.values()]
		.flatMap((group) => {
			const [first] = group;
			if (first === undefined) return [];
			const computers = group.reduce((sum, build) => sum + build.computers, 0);
			const systems = group.map(({ os }) => os);
			return [{ connector: first.connector, family: familyOf(first.os), computers, systems }];
		})
		.toSorted(
			(a, b) => compareVersions(b.connector, a.connector) || families.indexOf(a.family) - families.indexOf(b.family),
		);
}

/**
 * Versions behind the newest release (major and minor) that anybody here runs. Connectors of Windows and of the others are
 * numbered apart, so each is compared with its own.
 */
export function behind(builds: readonly Build[]): { readonly versions: readonly string[]; readonly computers: number } {
	const lines = Map.groupBy(
		builds.filter(({ connector }) => connector !== ''),
		({ os }) => /windows/i.test(os),
	);
	const old = [...lines.values()].flatMap((line) => {
		const newest = line.map(({ connector }) => releaseOf(connector)).reduce(later, '');
		return line.filter(({ connector }) => compareVersions(releaseOf(connector), newest) < 0);
	});
	const versions = [...new Set(old.map(({ connector }) => connector))].toSorted(compareVersions);
	// Of the versions, not of the lines: it is what the list of these versions shows.
	const computers = builds
		.filter(({ connector }) => versions.includes(connector))
		.reduce((sum, build) => sum + build.computers, 0);
	return { versions, computers };
}

function releaseOf(version: string): string {
	return version.split('.').slice(0, 2).join('.');
}

function later(a: string, b: string): string {
	return compareVersions(a, b) >= 0 ? a : b;
}

/** By their numbers; what has none comes first. */
export function compareVersions(a: string, b: string): number {
	return a.localeCompare(b, 'en', { numeric: true });
}

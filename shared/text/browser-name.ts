const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Version']
const names: Readonly<Record<string, string>> = {Edg: 'Edge', OPR: 'Opera', Version: 'Safari'}
const systems = [/Windows/, /Android/, /iPhone|iPad/, /Mac/, /Linux/]
const systemNames = ['Windows', 'Android', 'iOS', 'macOS', 'Linux']

/** `Chrome 143 on Linux` for the `User-Agent` of a well-known browser, anything else as it is; it may be forged. */
export function browserName(agent: string) {
	const known = browsers.find(each => agent.includes(`${each}/`))
	const system = systemNames[systems.findIndex(each => each.test(agent))]
	const version = known === undefined ? undefined : new RegExp(`${known}/(\\d+)`).exec(agent)?.[1]
	if (known === undefined || version === undefined || system === undefined) return agent
	return `${names[known] ?? known} ${version} on ${system}`
}

/** A program's variables may be secrets: they are passed to the program, and never shown. */
import {invalidArgument} from '#contract/errors.ts'
import {storedValue, type Instance, type InstanceDefinition} from '#model/instance.ts'

/** For pages and the command line: the names of set variables, without values. An empty value stays readable. */
export function withoutValues(instance: Instance) {
	const {program} = instance
	if (program.kind !== 'managed') return instance
	const environment = Object.fromEntries(Object.entries(program.environment).map(([name, value]) => [name, value === '' ? '' : storedValue]))
	return {...instance, program: {...program, environment}}
}

/** A value left as shown keeps the stored one. Throws `invalid_argument` without one. */
export function withStoredValues<T extends Pick<InstanceDefinition, 'program'>>(given: T, old: Instance | undefined) {
	const {program} = given
	if (program.kind !== 'managed') return given
	const known = old?.program.kind === 'managed' ? old.program.environment : {}
	const environment = Object.fromEntries(
		Object.entries(program.environment).map(([name, value]) => {
			if (value !== storedValue) return [name, value]
			const stored = Object.hasOwn(known, name) ? known[name] : undefined
			if (stored !== undefined) return [name, stored]
			throw invalidArgument(`The value of ${name} is not stored yet: type it.`, 'program.environment')
		})
	)
	return {...given, program: {...program, environment}}
}

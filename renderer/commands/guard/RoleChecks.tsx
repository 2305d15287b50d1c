import {type ComputerRole, computerRoles, computerRoleTitles} from '#model/guard.ts'

import {Checkbox} from '#ui/Field.tsx'

export function RoleChecks({of, onChange}: {of: readonly ComputerRole[]; onChange: (roles: ComputerRole[]) => void}) {
	return computerRoles.map(role => (
		<Checkbox
			key={role}
			isSelected={of.includes(role)}
			onChange={on => onChange(computerRoles.filter(each => (each === role ? on : of.includes(each))))}
		>
			{computerRoleTitles[role]}
		</Checkbox>
	))
}

import {useRouter} from '@tanstack/react-router'

/** Opens a path built by the host, including its search. */
export function useOpen(): (path: string) => void {
	const {history} = useRouter()
	return path => history.push(path)
}

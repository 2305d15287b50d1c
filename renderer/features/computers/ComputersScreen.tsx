import { ScreenBar } from '../../ui/Toolbar.tsx';

export function ComputersScreen() {
  return <ScreenBar title="Computers" />;
}

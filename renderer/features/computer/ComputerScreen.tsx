import { ScreenBar } from '../../ui/Toolbar.tsx';

export function ComputerScreen() {
  return <ScreenBar title="Computer" />;
}

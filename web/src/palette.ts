// Colors that people with any color vision can tell apart (after Paul Tol), and those of the two themes.

export const kBodyColors = ['#4477aa', '#cc6677', '#ddaa33', '#228833', '#66ccee', '#aa3377', '#88ccaa', '#997700'];
export const kLineColors = ['#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377', '#ee8866', '#888888'];
export const kAccent = '#ff8800';

export interface Theme {
  name: 'light' | 'dark';
  sky: number;
  ground: number;
  grid: number;
  text: string;
  axis: string;
}
export const kThemes: Record<'light' | 'dark', Theme> = {
  light: { name: 'light', sky: 0xf3f5f8, ground: 0xe9edf2, grid: 0x8a97a6, text: '#3a4653', axis: '#dfe4ea' },
  dark: { name: 'dark', sky: 0x14181e, ground: 0x1b212a, grid: 0x93a4b8, text: '#c3ced9', axis: '#303945' },
};

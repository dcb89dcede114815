import { NAME_LENGTH } from "./messages";

export const isTooLong = (name: string) => [...name.trim()].length > NAME_LENGTH;

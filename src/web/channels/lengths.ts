/** Lengths that the server takes, in characters. */
export const nameLengthMax = 60;
export const descriptionLengthMax = 1_024;

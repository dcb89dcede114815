"""The score card to print: blank or filled in, with the rules of scoring in pictures beside it, as a PDF."""

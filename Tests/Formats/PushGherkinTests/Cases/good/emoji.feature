# language: em
📚: 🙈🙉🙊

  📕: 💃
    😐🎸
      | 🎸 | é |
      |😀|b|

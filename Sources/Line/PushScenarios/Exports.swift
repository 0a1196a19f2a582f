// `import PushScenarios` is enough: the types that steps use come along.
@_exported public import PushGherkinRunner
@_exported public import PushPipeline

#if os(Linux)
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The key of `identifier`.
    public let CNContactIdentifierKey = "identifier"
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The key of `namePrefix`.
    public let CNContactNamePrefixKey = "namePrefix"
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The key of `givenName`.
    public let CNContactGivenNameKey = "givenName"
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The key of `middleName`.
    public let CNContactMiddleNameKey = "middleName"
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The key of `familyName`.
    public let CNContactFamilyNameKey = "familyName"
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The key of `nameSuffix`.
    public let CNContactNameSuffixKey = "nameSuffix"
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The key of `nickname`.
    public let CNContactNicknameKey = "nickname"
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The key of `organizationName`.
    public let CNContactOrganizationNameKey = "organizationName"
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The key of `phoneNumbers`.
    public let CNContactPhoneNumbersKey = "phoneNumbers"
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The key of `emailAddresses`.
    public let CNContactEmailAddressesKey = "emailAddresses"
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The key of `imageData`.
    public let CNContactImageDataKey = "imageData"
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The key of `thumbnailImageData`.
    public let CNContactThumbnailImageDataKey = "thumbnailImageData"
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The key of `imageDataAvailable`.
    public let CNContactImageDataAvailableKey = "imageDataAvailable"
#endif

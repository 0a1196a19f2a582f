# For a tap. RELEASING.md says how the address and checksum of a release get here.
class Pushpipe < Formula
  desc "Filter for push notifications, and a stand-in for the phone that receives them"
  homepage "https://github.com/pushpipe/pushpipe"
  url "https://github.com/pushpipe/pushpipe.git", tag: "0.2.0"
  license "Apache-2.0"
  head "https://github.com/pushpipe/pushpipe.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "jansson"
  depends_on macos: :sequoia

  uses_from_macos "swift" => :build
  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  def install
    # Homebrew has its own sandbox, and SwiftPM's does not work in it.
    ENV["SWIFTFLAGS"] = "--disable-sandbox"
    ENV["PREFIX"] = prefix
    system "Scripts/install.sh"
  end

  test do
    assert_match(/^\d+\.\d+\.\d+$/, shell_output("#{bin}/pushpipe --version").lines.first)
    report = pipe_output("#{bin}/pushpipe run --quiet", '{"aps":{"alert":"Dinner is ready"}}', 0)
    assert_match '"outcome":"delivered"', report
    (testpath/"payload.json").write '{"aps":{"alert":"Late count","mutable_content":1}}'
    assert_match "aps.misspelled-key", shell_output("#{bin}/pushpipe lint --quiet payload.json", 1)
    assert_path_exists share/"pushpipe/Sources/Apple/ExtensionRuntime"
  end
end

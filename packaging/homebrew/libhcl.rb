# The release tarball (`make dist`) as a Homebrew formula, for Linux.
# Tested: read by Ruby 3.1 (`ruby -c`), nothing more; there was no Homebrew. `make install` knows ELF systems, not macOS.
class Libhcl < Formula
  desc "HCL engine: parse, evaluate, decode and format"
  homepage "https://libhcl.invalid/"
  url "https://libhcl.invalid/libhcl-0.1.0.tar.xz"
  # What `make dist` writes beside the tarball.
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build
  depends_on :linux

  def install
    ENV["CARGO_NET_OFFLINE"] = "true"
    system "make", "install", "CARGO_C=no", "PREFIX=#{prefix}", "LIBDIR=#{lib}"
    system "make", "install-cli", "PREFIX=#{prefix}"
  end

  test do
    (testpath/"test.c").write <<~C
      #include <hcl.h>
      int main(void) { return hcl_compatible(HCL_VERSION) ? 0 : 1; }
    C
    system ENV.cc, "test.c", "-I#{include}", "-L#{lib}", "-lhcl", "-Wl,-rpath,#{lib}", "-o", "test"
    system "./test"
    assert_equal "2\n", shell_output("#{bin}/hcl eval '1 + 1'")
  end
end

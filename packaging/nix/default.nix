# The tree as a Nix package: nix-build packaging/nix
# Tested: read by Nix 2.8 (`nix-instantiate --parse`), not built; there were no nixpkgs. Rust 1.95 or later must be in nixpkgs.
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "libhcl";
  version = "0.1.0";
  src = pkgs.lib.cleanSource ../..;

  cargoDeps = pkgs.rustPlatform.importCargoLock { lockFile = ../../Cargo.lock; };
  nativeBuildInputs = [ pkgs.cargo pkgs.rustc pkgs.rustPlatform.cargoSetupHook ];

  dontBuild = true; # `make install` builds what it installs
  installPhase = ''
    patchShebangs packaging
    make install install-cli CARGO_C=no PREFIX=$out SOURCE_DATE_EPOCH=1
  '';
  # The release profile has stripped what there is to strip.
  dontStrip = true;

  meta = {
    description = "HCL engine: parse, evaluate, decode and format";
    license = with pkgs.lib.licenses; [ mit asl20 ];
    platforms = pkgs.lib.platforms.linux;
  };
}

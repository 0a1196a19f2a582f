  # language: klingon
Feature: In no language

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/gui/designertools.h"

// A job with what people write into jobs, for the tests of the designer.
namespace designertools
{

inline const char sampleText[] = R"(# my baseline, do not touch
protocolVersion: 2
name: tensorflow_cifar10
type: job
version: "1.0"
contributor: OpenPAI
description: |
  TensorFlow Distributed Training: this example runs a ResNet
  on the CIFAR-10 data.

  It needs one parameter server.
parameters:
  model: resnet20   # the small one
  batchsize: 32
  lr: 0.1
secrets:
  github_token: "******"
prerequisites:
  - name: tf_example
    type: dockerimage
    uri: openpai/pai.example.tensorflow
  - name: install-git   # for the script
    type: script
    plugin: com.microsoft.pai.runtimeplugin.cmd
    callbacks:
      - event: taskStarts
        commands:
          - apt install -y git
  - name: cnn-benchmarks
    type: script
    plugin: com.microsoft.pai.runtimeplugin.cmd
    require:
      - install-git
    callbacks:
      - event: taskStarts
        commands:
          - git clone https://example.org/benchmarks script_cnn
  - name: cifar10-data
    type: data
    uri:
      - https://example.org/cifar10.tar.gz
taskRoles:
  worker:
    instances: 4    # one per GPU
    completion:
      minFailedInstances: 1
      minSucceededInstances: 4
    dockerImage: tf_example
    prerequisites:
      - install-git
      - cnn-benchmarks
      - cifar10-data
    resourcePerInstance:
      gpu: 1
      cpu: 4
      memoryMB: 8192
      ports:
        ssh: 1
        http: 1
    commands:
      - cd script_<% $script.name %>/scripts
      - |
        python train.py --job_name=worker \
          --ps_hosts=$PAI_TASK_ROLE_ps_HOST_LIST \
          --model=<% $parameters.model %> --batch_size=<% $parameters.batchsize %>
  ps:
    instances: 1
    dockerImage: tf_example
    resourcePerInstance: {cpu: 4, memoryMB: 8192, gpu: 0}
    commands:
      - sleep infinity
# the end
)";

inline void showSample(DesignerPage *page, const QByteArray &bytes)
{
    showDocument(page, bytes, QStringLiteral("sample.pai.yaml"));
}

} // namespace designertools
